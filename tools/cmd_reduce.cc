// midwire reduce: the smallest session that still makes a plugin do it.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/case.h"
#include "fuzz/live/host_runner.h"
#include "fuzz/live/investigate.h"
#include "fuzz/live/peer.h"
#include "spdlog/spdlog.h"
#include "tools/command.h"
#include "tools/keep.h"
#include "tools/output.h"
#include "tools/quantity.h"
#include "tools/read_trace.h"
#include "tools/replay_finding.h"
#include "trace/source.h"
#include "wire/counted.h"
#include "wire/escape.h"

namespace midwire::tools {
namespace {

constexpr char kFooter[] =
    R"(--keep says what the smaller session must still do:
  crash          the plugin dies by a signal, a sanitizer or a panic; the same one as at first
  exit=N         it ends by itself with that status
  finding=KEY    that finding, as midwire fuzz writes it; the default for a finding's cassette
  CMD            anything else is a shell command: it is given a cassette of the session ($1) and
                 ends with 0 when the session still does it

Exit status: 0 reduced (on stderr it is told when the time was over before), 1 the whole trace does not
do it, or does so only now and then, 2 the call is wrong, or the time was over before the whole trace
was played, 3 not written, or the cassette of a finding is damaged.

Examples:
  midwire reduce session.pcapng --keep crash -- my-plugin
  midwire reduce session.jsonl --keep exit=3 -o small.jsonl -- my-plugin --flag
  midwire reduce session.jsonl --keep 'grep -q "no such file" "$1"' -- my-plugin)";

struct Arguments {
  std::string trace, keep, output, dialect, max_time = "60s", timeout = "2s";
  std::vector<std::string> shown_only;
};

volatile sig_atomic_t interrupted = 0;

// Who had it ignored (nohup) goes on.
void EndWellOn(int number) {
  struct sigaction action = {}, before = {};
  action.sa_handler = [](int received) { interrupted = received; };
  if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;
  sigaction(number, &action, nullptr);
}

// Of the smallest plugin, minutes.
constexpr size_t kMaxPlays = 100'000;

int Fail(const Error& error) {
  ReportError(error);
  return kUsage;
}

std::string FreeName(const std::string& trace) {
  std::string stem = trace;
  for (const char* end : {".jsonl", ".pcapng"}) {
    if (stem.ends_with(end)) stem.resize(stem.size() - strlen(end));
  }
  std::string name = stem + ".reduced.jsonl";
  struct stat there;
  for (int i = 2; lstat(name.c_str(), &there) == 0; ++i) {
    name = stem + ".reduced." + std::to_string(i) + ".jsonl";
  }
  return name;
}

// That the result cannot be written is told before a minute of work, not after it.
Status CanBeWritten(const std::string& path) {
  const auto sink = trace::FileSink::Create(path);
  return sink ? Status(Ok{}) : sink.error();
}

// A pipe, such as <(...) of a shell, can be read only once.
Status CanBeReadAgain(const std::string& trace) {
  struct stat file;
  const bool once = trace == "-" || (stat(trace.c_str(), &file) == 0 && !S_ISREG(file.st_mode) &&
                                     !S_ISDIR(file.st_mode));
  if (!once) return Ok{};
  return Error{"a trace that is reduced is read more than once", trace,
               "not a regular file: write it to one, and name that"};
}

// What a reader of the result alone would not guess.
std::string HowSure(const fuzz::Investigated& reduced, bool smaller) {
  std::string text;
  if (reduced.tries > 0 && reduced.hits < reduced.tries) {
    text = "flaky, " + std::to_string(reduced.hits) + " of " + std::to_string(reduced.tries);
  } else if (reduced.tries == 0) {
    text = "not played again";
  }
  if (!reduced.finished) {
    text += text.empty() ? "" : ", ";
    text += smaller ? "not finished" : "not reduced";
  }
  return text.empty() ? "" : " (" + text + ")";
}

int Write(const std::string& path, const std::string& text) {
  auto sink = trace::FileSink::Create(path);
  Status status = sink ? (*sink)->Write(text) : Status(sink.error());
  if (status) status = (*sink)->Close();
  if (status) return kFine;
  ReportError(status.error());
  return kDataLost;
}

int Reduce(const Arguments& arguments) {
  if (PluginCommand().empty() || PluginCommand()[0].empty()) {
    return Fail({"no plugin to run", "", "midwire reduce TRACE [options] -- PLUGIN ARGS..."});
  }
  const auto time = ParseTime(arguments.max_time), timeout = ParseTime(arguments.timeout);
  if (!time || *time == 0)
    return Fail({"--max-time: cannot be used", arguments.max_time, "30s, 5m"});
  if (!timeout || *timeout == 0)
    return Fail({"--timeout: cannot be used", arguments.timeout, "500ms"});
  const std::string path = arguments.output.empty() ? FreeName(arguments.trace) : arguments.output;
  const Status readable = CanBeReadAgain(arguments.trace);
  if (!readable) return Fail(readable.error());
  const Status writable = CanBeWritten(path);
  if (!writable) return Fail(writable.error());
  const auto record = FindingOf(arguments.trace);
  if (!record) return Fail(record.error());
  const fuzz::FindingRecord* known = *record ? &**record : nullptr;
  const auto keep = UnderstandKeep(arguments.keep, known);
  if (!keep) return Fail(keep.error());
  std::string dialect = arguments.dialect;
  if (dialect.empty() && known != nullptr)
    dialect = known->dialect.empty() ? "none" : known->dialect;
  const bool of_host = known != nullptr && known->of_host;
  auto loaded = LoadCase(arguments.trace, dialect, known);
  if (!loaded) return Fail(loaded.error());
  if (loaded->missing && known != nullptr) return ReportError(*loaded->missing), kDataLost;
  if (loaded->life.input.parts.empty() && known == nullptr) {
    return Fail({"the trace has nothing that a host says", arguments.trace, "midwire show tells"});
  }
  if (loaded->missing) ReportNote(loaded->missing->Text());

  fuzz::RunnerOptions options = {.argv = PluginCommand(), .host = of_host, .timeout_ns = *timeout};
  options.prober.dialect = loaded->seeds->dialect.get();
  if (known != nullptr) options.plugin_name = known->plugin_name;
  if (known != nullptr && known->max_growth != 0) options.max_growth = known->max_growth;
  options.prober.oracles.set();
  fuzz::Features features({});
  auto target = fuzz::MakeTarget(options, &loaded->seeds->seeds, &features);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);  // a limit of files' sizes is told as a full disk is
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) EndWellOn(number);
  const int64_t end = fuzz::MonotonicNow() + *time;
  const auto over = [end] { return fuzz::MonotonicNow() > end; };
  // What is under way then has the time of an answer to come to its end.
  const auto stop = [last = end + *timeout] {
    return interrupted != 0 || fuzz::MonotonicNow() > last;
  };
  keep->failure->stop = stop;
  target->stop = [stop, failure = keep->failure] { return failure->error || stop(); };
  // A play that was cut short shows nothing.
  const fuzz::Shows shows = [&](const auto& findings, const auto& transcript, auto* found) {
    return !target->stop() && keep->shows(findings, transcript, found);
  };
  if (known != nullptr) {
    target->UseRecord(*known);
    loaded->life.pace = known->pace;
    loaded->life.eof = known->eof;
    loaded->life.asks = known->asks;
  } else {
    // What the last message does shows when a request of our own behind it is answered, or is not.
    const Status calibrated = target->Calibrate();
    if (!calibrated && !target->stop()) return Fail(calibrated.error());
  }
  // What shows itself now and then is given as many chances as a replay of it has.
  const int tries = known != nullptr && known->hits < known->tries ? 3 * fuzz::kTries : 1;
  fuzz::Transcript whole;
  fuzz::Finding finding;
  Result<std::vector<fuzz::Finding>> first{std::vector<fuzz::Finding>()};
  bool does_it = false;
  int plays = 0;  // that came to their end
  for (int i = 0; i < tries && !does_it && !target->stop() && !(i > 0 && over()); ++i) {
    whole = {};
    first = target->Play(loaded->life, 2, &whole);
    if (!first) return Fail(first.error());
    does_it = shows(*first, whole, &finding);
    plays += !target->stop();
  }
  if (keep->failure->error) return ReportError(*keep->failure->error), keep->failure->code;
  if (!does_it && interrupted != 0) {
    target.reset();
    signal(interrupted, SIG_DFL);
    raise(interrupted);
  }
  if (!does_it && plays == 0) {
    return Fail({"the time was over before it was known whether the whole trace does it",
                 "--max-time " + arguments.max_time, "give it longer"});
  }
  if (!does_it && !target->reached()) return Fail(NotStarted(PluginCommand()[0]));
  if (!does_it) {
    const std::string cut = plays < tries ? " in " + wire::Counted(plays, "play") : "";
    ReportError({"the whole trace does not do it" + cut, arguments.trace,
                 first->empty() ? "nothing was found" : "found was: " + (*first)[0].key});
    return kDifference;
  }
  const size_t messages = loaded->life.input.parts.size(), bytes = loaded->life.input.size();
  auto reduced = fuzz::ReduceCase(
      target.get(), loaded->life, shows, tries == 1 ? 1 : fuzz::kTries,
      {.max_time_ns = end - fuzz::MonotonicNow(), .max_tests = kMaxPlays, .stop = target->stop});
  if (!reduced) return Fail(reduced.error());
  // What shows itself seldom is given more chances.
  while (reduced->hits == 0 && reduced->tries > 0 && reduced->tries < 3 * fuzz::kTries && !over()) {
    fuzz::Transcript transcript;
    const auto findings = target->Play(reduced->life, 2, &transcript);
    if (!findings) return Fail(findings.error());
    fuzz::Finding seen;
    const bool shown = shows(*findings, transcript, &seen);
    if (!shown && target->stop()) break;
    ++reduced->tries;
    if (!shown) continue;
    reduced->hits = 1;
    reduced->finding = std::move(seen);
    reduced->transcript = std::move(transcript);
  }
  if (reduced->hits == 0 && reduced->tries > 0 && interrupted == 0 && !keep->failure->error) {
    ReportError({"what was left did it once, and not again in " +
                     wire::Counted(static_cast<uint64_t>(reduced->tries), "play") +
                     ": nothing is written",
                 arguments.trace, "it shows itself only now and then"});
    return kDifference;
  }
  if (reduced->finding.key.empty()) {
    // Stopped before anything smaller did it.
    reduced->transcript = std::move(whole);
    reduced->finding = std::move(finding);
  }
  fuzz::FindingRecord kept = {.oracle = reduced->finding.oracle,
                              .key = reduced->finding.key,
                              .text = reduced->finding.text,
                              .dialect = loaded->seeds->dialect_name,
                              .pace = reduced->life.pace,
                              .eof = reduced->life.eof,
                              .asks = reduced->life.asks,
                              .hits = reduced->hits,
                              .tries = reduced->tries};
  if (kept.oracle == fuzz::Oracle::kMemory) kept.max_growth = options.max_growth;
  fuzz::DescribeSeeds(loaded->seeds->seeds, &kept);
  target->Describe(&kept);
  const bool smaller =
      reduced->life.input.parts.size() < messages || reduced->life.input.size() < bytes;
  const std::string so_far = smaller ? "what is kept is the smallest so far"
                                     : "what is kept is the whole trace, not reduced";
  if (interrupted != 0) {
    ReportNote("stopped: " + so_far);
  } else if (!reduced->finished && !keep->failure->error) {
    const std::string why = over() ? "--max-time " + arguments.max_time + " is over"
                                   : std::to_string(kMaxPlays) + " plays are done";
    spdlog::warn("{}: {}; it may become smaller yet", wire::Escaped(why), so_far);
  }
  if (reduced->life.input.parts.empty() && messages > 0) {
    spdlog::warn("what is kept is an empty session: {}",
                 kept.key.starts_with(kKeptBy)
                     ? "the command of --keep ends with 0 also when nothing was said"
                     : "the plugin does it also when nothing is said");
  }
  // What a command or a status tells is no finding that a replay could look for.
  const bool found = fuzz::FindKey(*first, kept.key) != nullptr;
  const int written = Write(
      path, fuzz::WriteFinding(found ? &kept : nullptr, reduced->transcript, PluginCommand()));
  if (written != kFine) return written;
  Output output;
  output.Write(wire::Counted(messages, "message") + ", " + wire::Counted(bytes, "byte") +
               " became " + std::to_string(reduced->life.input.parts.size()) + ", " +
               std::to_string(reduced->life.input.size()) + " in " +
               wire::Counted(reduced->tests, "play") + HowSure(*reduced, smaller) + ": " +
               wire::Escaped(path) + "\n");
  const int printed = output.Finish();
  if (!keep->failure->error) return printed;
  ReportError(*keep->failure->error);
  return keep->failure->code;
}

}  // namespace

std::function<int()> DeclareReduce(CLI::App* app) {
  auto arguments = std::make_shared<Arguments>();
  app->add_option("TRACE", arguments->trace, "tape or cassette; its first session is played")
      ->required();
  // Named for the help alone: main cuts the plugin's command off before it could fill this.
  app->add_option("PLUGIN", arguments->shown_only,
                  "the plugin's command behind --, with all its arguments; of a host's finding the "
                  "host's, as for midwire fuzz --host");
  app->add_option("--keep", arguments->keep, "crash, exit=N, finding=KEY, or a shell command");
  app->add_option("-o,--output", arguments->output,
                  "the cassette to write; default: beside the trace, NAME.reduced.jsonl");
  app->add_option("--dialect", arguments->dialect, "a built-in dialect, a file, or none");
  app->add_option("--max-time", arguments->max_time, "end after so long with what is reached")
      ->capture_default_str();
  app->add_option("--timeout", arguments->timeout, "for an answer")->capture_default_str();
  app->footer(kFooter);
  return [arguments] { return Reduce(*arguments); };
}

}  // namespace midwire::tools
