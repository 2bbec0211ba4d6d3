// midwire mock: plays the plugin of a trace for a host, on stdin and stdout.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

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
#include "tools/replaying/options.h"
#include "tools/replaying/play_machine.h"
#include "tools/terminal.h"
#include "view/text/replay_report.h"
#include "wire/json/parts.h"

namespace midwire::tools {
namespace {

constexpr char kMockFooter[] =
    R"(Answers use the host's ids; reverse calls, notifications and stderr come at their recorded place. Exits
as the recorded plugin did, or with 1 if the host differed from the recording. Where it did is reported on
stderr, or in the file of --report.

Examples:
  my-host --plugin 'midwire mock session.jsonl'
  my-host --plugin 'midwire mock session.jsonl --report mock.txt --exhausted repeat')";

struct MockArguments {
  std::string trace, report, on_extra = "error", exhausted = "error";
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
    view::AppendReplayText(report, context, StyleOf(2, "auto"), &text);
  }
  if (arguments.report.empty()) {
    if (!report.same() || arguments.json) fwrite(text.data(), 1, text.size(), stderr);
    return;
  }
  if (!io::WriteFile(arguments.report, text)) {
    ReportError({"cannot write the report", arguments.report, strerror(errno)});
  }
}

// Shows the host's messages to the mapper before they are answered.
class HostWatcher : public replay::Observer {
 public:
  explicit HostWatcher(replay::HostMapper* host) : host_(host) {}
  void OnLive(replay::StepIndex, bool, const wire::Frame& frame) override {
    host_->Watch(wire::Trimmed(frame.body()));
  }
  void OnMadeUp(std::string_view) override {}

 private:
  replay::HostMapper* host_;
};

// Also of a log of another program.
Result<std::unique_ptr<replay::Loaded>> LoadForMock(const std::string& path,
                                                    const replay::Declarations& declared) {
  constexpr auto kOurs = replay::Direction::kPluginToHost;
  auto loaded = LoadTrace(path, kOurs, declared, /*keep_stderr=*/true);
  if (loaded || !IsLog(loaded.error(), path)) return loaded;
  const Result<OpenedLog> log = OpenLog(path);
  if (!log) return log.error();
  ReportNote(log->note);
  if (!log->lost.empty()) ReportWarning(log->lost);
  return replay::Load(log->reader.get(), kOurs, declared, /*keep_stderr=*/true);
}

int Mock(const MockArguments& arguments) {
  const Status can_report =
      CanOverwrite({{"--report", arguments.report}}, {arguments.trace, arguments.declare.dialect});
  if (!can_report) return Fail(can_report.error());
  Result<ParsedDeclarations> parsed =
      arguments.declare.ParseOptions({arguments.trace}, Logs::kTake);
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
  const auto loaded = LoadForMock(arguments.trace, parsed->declared);
  if (!loaded) return Fail(loaded.error());
  ReportWarnings(arguments.trace, (*loaded)->declared);
  ReportUnusedMaps(**loaded);
  LookForUnused(loaded->get(), &parsed->unused);
  options->unused = &parsed->unused;
  replay::Player player(&(*loaded)->script, &(*loaded)->frames, &(*loaded)->declared,
                        &(*loaded)->bindings, *options);
  HostWatcher watcher(&(*loaded)->host);
  player.set_observer(&watcher);
  PlayMachine machine(&player, options->ours);
  machine.set_host(&(*loaded)->host);
  proxy::RunOnStdio(&machine);
  trace::ReplayReport report = player.TakeReport();
  (*loaded)->host.Report(&report);
  ReportUnused(parsed->unused);
  WriteMockReport(report,
                  {.trace = arguments.trace,
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
  parser.AddOption("TRACE", &arguments->trace, "tape, cassette or log (doc/import.md)").Required();
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
