// midwire replay: plays the host of a trace against a plugin.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "io/signals.h"
#include "proxy/run_plugin.h"
#include "replay/load.h"
#include "replay/player.h"
#include "tools/command.h"
#include "tools/fuzzing/replay_finding.h"
#include "tools/output.h"
#include "tools/quantity.h"
#include "tools/read_trace.h"
#include "tools/replaying/options.h"
#include "tools/replaying/play_machine.h"
#include "tools/replaying/stopwatch.h"
#include "tools/replaying/suggest.h"
#include "tools/update.h"
#include "view/text/replay_report.h"

namespace midwire::tools {
namespace {

constexpr char kFooter[] =
    R"(Exit status: 0 same, 1 different, 2 usage error or the plugin cannot be started, 3 the trace is damaged.
What counts as a difference: doc/replay.md.

Examples:
  midwire replay session.jsonl -- my-plugin --flag
  midwire replay session.jsonl --ignore /result/pid --junit report.xml -- my-plugin
  midwire replay session.jsonl --suggest-ignores 5 -- my-plugin)";

struct Arguments {
  std::string trace, record, suggest = "0";
  bool update = false, accept_crash = false, no_stderr = false;
  DeclareArguments declare;
  PlayArguments play;
  ReportArguments report;
};

// One run against the plugin.
struct Run {
  trace::ReplayReport report;
  std::vector<replay::Matcher::Varying> varying;
  ExitStatus status;
  int interrupted = 0;
  double seconds = 0;
  std::map<std::string, double, std::less<>> method_seconds;
};

std::string EndingOf(const ExitStatus& status) {
  return status.signal != 0 ? "signal " + std::to_string(status.signal)
                            : "exit " + std::to_string(status.code);
}

Result<Run> Play(const Arguments& arguments, const replay::PlayerOptions& options,
                 replay::Loaded* loaded, replay::Observer* observer) {
  loaded->bindings.Forget();
  replay::Player player(&loaded->script, &loaded->frames, &loaded->declared, &loaded->bindings,
                        options);
  Stopwatch stopwatch(&loaded->script, observer);
  const bool timed = !arguments.report.junit.empty();
  player.set_observer(timed ? &stopwatch : observer);
  PlayMachine machine(&player, options.ours);
  if (timed) machine.set_stopwatch(&stopwatch);
  const proxy::RunOutcome outcome = proxy::RunPlugin({.argv = PluginCommand(),
                                                      .record = arguments.record,
                                                      .pass_stderr = !arguments.no_stderr,
                                                      .version = MIDWIRE_VERSION},
                                                     &machine);
  for (const std::string& warning : outcome.warnings) ReportNote(warning);
  if (!outcome.cannot_start.empty()) return Error{outcome.cannot_start, "", ""};
  trace::ReplayReport report = player.TakeReport();
  loaded->host.Report(&report);
  Run run = {.report = std::move(report),
             .varying = player.varying(),
             .status = outcome.status,
             .interrupted = machine.interrupted(),
             .seconds = stopwatch.seconds(),
             .method_seconds = stopwatch.MethodSeconds()};
  return run;
}

int Fail(const Error& error) {
  ReportError(error);
  return kUsage;
}

// The first option that has no effect on a finding, which is always played as it was found.
std::optional<std::string> NotForFindings(const CLI::App& app) {
  constexpr std::string_view kFor[] = {"--json", "--junit", "--no-stderr", "--color"};
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    const bool named = name.starts_with("--");
    if (named && option->count() > 0 &&
        std::find(std::begin(kFor), std::end(kFor), name) == std::end(kFor)) {
      return name;
    }
  }
  return std::nullopt;
}

int Replay(const Arguments& arguments, const CLI::App& app) {
  if (PluginCommand().empty() || PluginCommand()[0].empty()) {
    return Fail({"no plugin to run", "", "midwire replay TRACE [options] -- PLUGIN ARGS..."});
  }
  const auto finding = FindingOf(arguments.trace);
  if (!finding) return Fail(finding.error());
  if (*finding) {
    if (const auto option = NotForFindings(app)) {
      return Fail({*option + ": has no effect on the cassette of a finding", arguments.trace,
                   "use only --json, --junit, --no-stderr and --color"});
    }
    return ReplayFinding(arguments.trace, **finding, arguments.report.json, arguments.report.junit);
  }
  Result<replay::Declarations> declared = arguments.declare.ParseOptions();
  if (!declared) return Fail(declared.error());
  declared->host = CurrentHost(/*with_pid=*/true);
  Result<replay::PlayerOptions> options = arguments.play.ParseOptions();
  if (!options) return Fail(options.error());
  const auto suggest = ParseCount(arguments.suggest);
  if (!suggest || *suggest == 1 || *suggest > 1000) {
    return Fail({"--suggest-ignores: not a number of runs", "\"" + arguments.suggest + "\"",
                 "try 2 to 1000"});
  }
  auto loaded = replay::Load(arguments.trace, options->ours, *declared);
  if (!loaded) return Fail(loaded.error());
  ReportUnusedMaps(**loaded);
  if (options->speed > 0 && !(*loaded)->script.timed) {
    return Fail({"--timing: the trace has no times", arguments.trace,
                 "replay the tape, or a cassette made by midwire convert --times"});
  }
  const uint64_t damaged = (*loaded)->damaged_bytes;
  if (damaged != 0) {
    ReportNote("the trace is damaged: " + std::to_string(damaged) +
               " bytes are unreadable (midwire show reports where)");
  }

  if (*suggest > 0) {
    options->all_places = true;
    Suggestions suggestions;
    for (int64_t i = 0; i < *suggest; ++i) {
      const Result<Run> run = Play(arguments, *options, loaded->get(), nullptr);
      if (!run) return Fail(run.error());
      if (run->interrupted != 0) io::DieBy(run->interrupted);
      suggestions.AddRun(run->varying);
    }
    Output output;
    suggestions.Append(output.text());
    return output.Finish();
  }

  Update update;
  Result<Run> run = Play(arguments, *options, loaded->get(), arguments.update ? &update : nullptr);
  if (!run) return Fail(run.error());
  if (run->interrupted != 0) io::DieBy(run->interrupted);
  const view::ReportContext context = {.trace = arguments.trace,
                                       .verb = "replay",
                                       .ending = EndingOf(run->status),
                                       .methods = (*loaded)->script.methods,
                                       .seconds = run->seconds,
                                       .method_seconds = run->method_seconds};
  const int written = WriteReport(run->report, context, arguments.report);
  if (written != kFine) return written;
  if (arguments.update && !run->report.same()) {
    const Result<std::string> old =
        update.Write(arguments.trace, loaded->get(), run->report,
                     {run->status.code, run->status.signal}, arguments.accept_crash);
    if (!old) return Fail(old.error());
    ReportNote("updated " + arguments.trace + " (previous version: " + *old + ")");
    return kFine;
  }
  if (!run->report.same()) return kDifference;
  return damaged == 0 ? kFine : kDataLost;
}

}  // namespace

std::function<int()> DeclareReplay(CLI::App* app) {
  auto arguments = std::make_shared<Arguments>();
  app->add_option("TRACE", arguments->trace, "tape or cassette, - for standard input")->required();
  arguments->declare.AddTo(app);
  arguments->play.AddTo(app, /*with_timeout=*/true);
  app->add_option(
      "--suggest-ignores", arguments->suggest,
      "run the plugin this many times and print the places that change from run to run");
  app->add_flag(
      "--update", arguments->update,
      "accept the differences: write them into the trace (the previous version stays as NAME.old)");
  app->add_flag("--accept-crash", arguments->accept_crash,
                "with --update: also accept a crash, a hang or an early exit; the trace ends there")
      ->needs("--update");
  app->add_option("--record", arguments->record, "record this run to a tape");
  app->add_flag("--no-stderr", arguments->no_stderr, "do not show the plugin's stderr");
  arguments->report.AddTo(app);
  app->footer(kFooter);
  return [arguments, app] { return Replay(*arguments, *app); };
}

}  // namespace midwire::tools
