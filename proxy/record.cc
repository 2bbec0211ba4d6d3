#include "proxy/record.h"

#include <unistd.h>

#include "io/files/append_file.h"
#include "io/host_ends.h"
#include "io/random_key.h"
#include "io/signals.h"
#include "proxy/driver.h"
#include "proxy/recorder.h"
#include "proxy/redaction.h"
#include "proxy/relay.h"
#include "proxy/spawn.h"
#include "proxy/start.h"
#include "trace/redact/stream_redactor.h"
#include "wire/json/escape.h"

namespace midwire::proxy {
namespace {

Driver::Ends EndsOf(const io::HostEnds& host, const Plugin& plugin) {
  Driver::Ends ends;
  const int ours[] = {plugin.in, plugin.out, plugin.err};
  if (!host.closed[0]) {
    ends.sources[0] = io::ReadEnd(0, io::Owner::kHosts);
    ends.sinks[0] = io::WriteEnd(ours[0], io::Owner::kOurs);
  }
  for (int fd = 1; fd < 3; ++fd) {
    if (host.closed[fd]) continue;
    if (ours[fd] >= 0) ends.sources[fd] = io::ReadEnd(ours[fd], io::Owner::kOurs);
    ends.sinks[fd] = io::WriteEnd(fd, io::Owner::kHosts);
  }
  ends.plugin = plugin.pid;
  return ends;
}

}  // namespace

RecordOutcome Record(const RecordOptions& options) {
  const io::HostEnds host =
      io::TakeHostEnds();  // first, so that no file of ours gets a closed 0, 1 or 2
  io::SignalGuard signals;
  const Plugin plugin = SpawnPlugin(options.argv, host, signals);
  for (int fd : host.inherited) close(fd);  // only the plugin may keep them open

  Relay relay(options.drain_ns, host.merged_stderr);
  const auto around = options.around ? options.around(&relay) : nullptr;
  Driver driver(EndsOf(host, plugin), around ? around.get() : &relay, &signals);

  const io::SystemClock clock;
  std::string warnings_for_the_end;
  const auto warn = [&](const std::string& line) {
    const std::string text = "midwire: warning: " + wire::Escaped(line) + "\n";
    // If stderr is the pipe of the protocol, a line of ours could be inside a message.
    host.merged_stderr ? void(warnings_for_the_end += text) : driver.Warn(text);
  };
  const auto path = TapePath(options.output, options.argv, clock.UnixNs());
  const auto key = io::RandomKey();
  trace::redact::StreamRedactor redactor(options.redact, key.value_or(trace::redact::TokenKey{}));
  Redaction to_plugin(redactor.InFrames()), to_host = to_plugin;
  const bool places = options.redact.places();
  const bool redact = places || options.redact.shapes;
  Recorder recorder({.path = path ? *path : "",
                     .framing = options.framing,
                     .record_stderr = options.record_stderr,
                     .sync_ns = options.sync_ns,
                     .max_size = options.max_size,
                     .keep = options.keep,
                     .rewriters = {places ? &to_plugin : nullptr, places ? &to_host : nullptr},
                     .redactor = options.redact.shapes ? &redactor : nullptr},
                    io::SystemAppendFiles(), &clock, warn);
  if (redact && !key) {
    warn("no random numbers to hide secrets with; the session goes on unrecorded");
  } else if (path) {
    trace::SpawnEvent spawn = SpawnEventOf(options.argv, plugin, options.version);
    spawn.framing[0] = spawn.framing[1] = options.framing;
    spawn.merged_stderr = host.merged_stderr;
    redactor.HideInArguments(&spawn.argv);
    recorder.Start(spawn);
    const std::string& tape = recorder.first_path();
    if (!tape.empty() && tape != *path) {
      warn(*path + " exists already: the tape is " + tape);
    }
    if (tape.ends_with(".jsonl")) {
      warn(tape + " is a tape, as nothing else can be recorded; for a cassette: midwire convert " +
           tape + " NAME.jsonl");
    }
    if (redact) {
      std::string text = "redacted: values at " + std::to_string(options.redact.pointers.size()) +
                         " JSON pointers";
      if (const size_t names = options.redact.names.size(); names > 0) {
        text += " and of members of " + std::to_string(names) + " names";
      }
      if (options.redact.shapes) text += ", and what looks like a secret";
      recorder.OnEvent(trace::NoteEvent{text});
    }
    driver.set_tap(&recorder);
    if (options.on_tape && !tape.empty()) {
      if (const std::string trouble = options.on_tape(tape); !trouble.empty()) warn(trouble);
    }
  } else {
    warn(path.error().Text() + "; the session goes on unrecorded");
  }
  RecordOutcome outcome;
  if (plugin.error == 0) {
    driver.Run();
    outcome.status = driver.exit_status();
  } else {
    // Hosts hide stderr: the tape is where the user finds the reason.
    outcome = CannotStart(options.argv[0], plugin.error);
    recorder.OnEvent(CannotStartEventOf(options.argv[0], plugin.error));
    recorder.OnEvent(outcome.status);
  }
  recorder.Finish();
  driver.Warn(warnings_for_the_end);
  driver.FlushFor(Stream::kStderr, options.drain_ns);
  outcome.tape = recorder.first_path();
  outcome.incomplete = !recorder.complete();
  return outcome;
}

}  // namespace midwire::proxy
