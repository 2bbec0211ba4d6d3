// midwire mock: plays the plugin of a trace for a host, on stdin and stdout.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/files/write_file.h"
#include "io/signals.h"
#include "proxy/run_plugin.h"
#include "replay/load.h"
#include "replay/play/player.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/import_log.h"
#include "tools/output_files.h"
#include "tools/read_ahead.h"
#include "tools/replaying/options.h"
#include "tools/replaying/play_machine.h"
#include "tools/replaying/session_choice.h"
#include "tools/terminal.h"
#include "view/text/replay_report.h"
#include "wire/counted.h"
#include "wire/json/escape.h"
#include "wire/json/parts.h"

namespace midwire::tools {
namespace {

constexpr char kMockFooter[] =
    R"(Answers use the host's ids; reverse calls, notifications and stderr come at their recorded place. Exits
as the recorded plugin did, or with 1 if the host differed from the recording. Where it did is reported on
stderr, or in the file of --report.

Examples:
  my-host --plugin 'midwire mock session.jsonl'
  my-host --plugin 'midwire mock session.jsonl --report mock.txt --exhausted repeat'
  my-host --plugin 'midwire mock probe.jsonl session.jsonl')";

struct MockArguments {
  std::vector<std::string> traces;
  std::string report, on_extra = "error", exhausted = "error";
  bool json = false, lenient = false;
  DeclareArguments declare;
  PlayArguments play;
};

// stdout belongs to the host, so the report goes elsewhere.
void WriteMockReport(const trace::ReplayReport& report, const view::ReportContext& context,
                     const MockArguments& arguments) {
  std::string text;
  if (arguments.json) {
    view::AppendReplayJson(report, context, &text);
  } else {
    const bool to_stderr = arguments.report.empty();
    view::AppendReplayText(report, context, to_stderr ? StyleOf(2, "auto") : view::Style(), &text);
  }
  if (arguments.report.empty()) {
    if (!report.same() || arguments.json) fwrite(text.data(), 1, text.size(), stderr);
    return;
  }
  if (!io::WriteFile(arguments.report, text, 0600)) {
    ReportError({"cannot write the report", arguments.report, strerror(errno)});
  }
}

std::string_view FramingText(bool content_length) {
  return content_length ? "Content-Length" : "lines";
}

// Shows the host's messages to the mapper before they are answered. Says at once that the host
// frames otherwise than recorded: it does not understand the recorded answer, and waits for one.
class HostWatcher : public replay::Observer {
 public:
  HostWatcher(replay::HostMapper* host, const replay::Script& script)
      : host_(host), script_(script) {
    for (const replay::Step& step : script.steps) {
      if (step.direction != wire::Direction::kHostToPlugin) continue;
      recorded_ = step.content_length;
      break;
    }
  }
  void OnElement(replay::StepIndex) override { in_batch_ = true; }
  void OnLive(replay::StepIndex step, bool, const wire::Frame& frame) override {
    host_->Watch(wire::Trimmed(frame.body()));
    const bool alone = !std::exchange(in_batch_, false);
    if (alone && step != replay::kNoStep) WatchBatch(script_.steps[step]);
    if (!recorded_) return;
    const bool live = frame.framing == wire::Framing::kContentLength;
    if (live != *recorded_) {
      ReportWarning("the host frames with " + std::string(FramingText(live)) +
                    ", and the recording has " + std::string(FramingText(*recorded_)) +
                    ": the host may wait forever for an answer that it can read");
    }
    recorded_.reset();
  }
  void OnMadeUp(std::string_view) override {}

 private:
  // Its answer is in a batch too, which cannot go out before the others have come.
  void WatchBatch(const replay::Step& step) {
    if (!step.element || step.kind != wire::Kind::kRequest || std::exchange(warned_, true)) return;
    ReportWarning("the host sends " + wire::Escaped(script_.methods[step.method]) +
                  " alone, which was recorded in a batch (message " + std::to_string(step.number) +
                  "): the answer waits for the other requests of that batch");
  }

  replay::HostMapper* host_;
  const replay::Script& script_;
  bool in_batch_ = false, warned_ = false;
  std::optional<bool> recorded_;  // Content-Length; nothing: the host has sent a message
};

// Also of a log of another program.
Result<std::unique_ptr<replay::Loaded>> LoadForMock(const RecordedSession& session,
                                                    const replay::Declarations& declared) {
  constexpr auto kOurs = replay::Direction::kPluginToHost;
  const std::string& path = session.trace;
  if (!session.method.empty()) {
    Result<std::unique_ptr<trace::TraceReader>> reader = OpenTraceOnce(path);
    if (!reader) return reader.error();
    const auto one = OneSession(std::move(*reader), session.index);
    return replay::Load(one.get(), path, kOurs, declared, /*keep_stderr=*/true);
  }
  auto loaded = LoadTrace(path, kOurs, declared, /*keep_stderr=*/true);
  if (loaded || !IsLog(loaded.error(), path)) return loaded;
  const Result<OpenedLog> log = OpenLog(path);
  if (!log) return log.error();
  ReportNote(log->note);
  if (!log->lost.empty()) ReportWarning(log->lost);
  return replay::Load(log->reader.get(), kOurs, declared, /*keep_stderr=*/true);
}

// Of several sessions, the one that the host's first message fits.
RecordedSession Choose(const std::vector<RecordedSession>& sessions, const FirstMessage& first) {
  if (sessions.size() < 2) return sessions.front();
  const size_t index =
      CanChoose(sessions) ? MostSimilar(sessions, first.method(), first.body()) : 0;
  const RecordedSession& session = sessions[index];
  ReportNote("session " + std::to_string(session.index + 1) + " of " + session.trace +
             " is played, one of " + std::to_string(sessions.size()));
  return session;
}

int Mock(const MockArguments& arguments) {
  std::vector<std::string> inputs = arguments.traces;
  inputs.push_back(arguments.declare.dialect);
  const Status can_report = CanOverwrite({{"--report", arguments.report}}, inputs);
  if (!can_report) return Fail(can_report.error());
  const std::vector<RecordedSession> sessions = SessionsOf(arguments.traces);
  FirstMessage first;
  if (CanChoose(sessions)) proxy::RunOnStdio(&first);
  if (first.interrupted() != 0) io::DieBy(first.interrupted());
  const RecordedSession session = Choose(sessions, first);
  Result<ParsedDeclarations> parsed = arguments.declare.ParseOptions({session.trace}, Logs::kTake);
  if (!parsed) return Fail(parsed.error());
  parsed->declared.host = CurrentHost(/*with_pid=*/false);
  Result<replay::PlayerOptions> options = arguments.play.ParseOptions();
  if (!options) return Fail(options.error());
  options->ours = replay::Direction::kPluginToHost;
  options->timeout_ns = replay::kNever;  // a host may pause as long as it likes
  options->on_extra = arguments.on_extra == "nearest"  ? replay::OnExtra::kNearest
                      : arguments.on_extra == "silent" ? replay::OnExtra::kSilent
                                                       : replay::OnExtra::kError;
  options->exhausted =
      arguments.exhausted == "repeat" ? replay::OnExhausted::kRepeat : replay::OnExhausted::kError;
  const auto loaded = LoadForMock(session, parsed->declared);
  if (!loaded) return Fail(loaded.error());
  ReportWarnings(session.trace, (*loaded)->declared);
  ReportUnusedMaps(**loaded);
  LookForUnused(loaded->get(), &parsed->unused);
  options->unused = &parsed->unused;
  replay::Player player(&(*loaded)->script, &(*loaded)->frames, &(*loaded)->declared,
                        &(*loaded)->bindings, *options);
  HostWatcher watcher(&(*loaded)->host, (*loaded)->script);
  player.set_observer(&watcher);
  PlayMachine machine(&player, options->ours);
  machine.set_host(&(*loaded)->host);
  machine.set_early(first.TakeBytes());
  const uint64_t lost = proxy::RunOnStdio(&machine);
  if (lost != 0 && machine.interrupted() == 0) {
    ReportNote("the host did not read the last " + wire::Counted(lost, "byte") +
               " that were sent to it, which is no difference: only what it sends is compared");
  }
  trace::ReplayReport report = player.TakeReport();
  (*loaded)->host.Report(&report);
  ReportUnused(parsed->unused);
  WriteMockReport(report,
                  {.trace = session.trace,
                   .verb = "mock",
                   .head = std::move(parsed->head),
                   .methods = (*loaded)->script.methods},
                  arguments);
  if (machine.interrupted() != 0) io::DieBy(machine.interrupted());
  if (!report.same() && !arguments.lenient) return 1;
  const ExitStatus end = player.recorded_end().value_or(ExitStatus{.code = 0});
  if (end.signal != 0) io::DieBy(end.signal);
  return end.code;
}

}  // namespace

std::function<int()> DeclareMock(ArgumentParser parser) {
  auto arguments = std::make_shared<MockArguments>();
  parser
      .AddOption("TRACE", &arguments->traces,
                 "tapes, cassettes or logs (doc/import.md); of several sessions, the one is played "
                 "whose first message is most like the host's")
      .Required();
  arguments->declare.AddTo(parser);
  arguments->play.AddTo(parser, /*with_timeout=*/false);
  parser
      .AddOption(
          "--on-extra", &arguments->on_extra,
          "a request that is not in the trace: error (default) answers with an error, nearest "
          "with the most similar recorded answer of that method, silent not at all")
      .OneOf({"error", "nearest", "silent"});
  parser
      .AddOption("--exhausted", &arguments->exhausted,
                 "a request that comes more often than recorded: error (default) answers with an "
                 "error, repeat with the last answer")
      .OneOf({"error", "repeat"});
  parser.AddOption("--report", &arguments->report,
                   "write the report to this file instead of stderr");
  parser.AddFlag("--lenient", &arguments->lenient,
                 "exit as the recorded plugin did, also if the host differed");
  parser.AddFlag("--json", &arguments->json, "print the report as one JSON object");
  parser.Footer(kMockFooter);
  return [arguments] { return Mock(*arguments); };
}

}  // namespace midwire::tools
