// midwire replay: plays the host of a trace against a plugin.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "io/signals.h"
#include "replay/load.h"
#include "replay/play/player.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/fuzzing/replay_finding.h"
#include "tools/import_log.h"
#include "tools/output.h"
#include "tools/output_files.h"
#include "tools/replaying/before.h"
#include "tools/replaying/learn.h"
#include "tools/replaying/leaves.h"
#include "tools/replaying/options.h"
#include "tools/replaying/plugin_run.h"
#include "tools/replaying/suggest.h"
#include "tools/replaying/update.h"
#include "view/text/replay_report.h"
#include "wire/counted.h"
#include "wire/quantity.h"

namespace midwire::tools {
namespace {

constexpr char kReplayFooter[] =
    R"(Exit status: 0 same, 1 different, 2 usage error or the plugin cannot be started, 3 the trace is damaged
or an output could not be written. --suggest-ignores: 1 if anything else than values differs.
What counts as a difference: doc/replay.md.

Examples:
  midwire replay session.jsonl -- my-plugin --flag
  midwire replay session.jsonl --ignore /result/pid --junit report.xml -- my-plugin
  midwire replay session.jsonl --learn -- my-plugin)";

struct ReplayArguments {
  std::string trace, record, suggest, learn, before, shown_only;
  bool update = false, accept_crash = false, no_stderr = false, leaves = false;
  DeclareArguments declare;
  PlayArguments play;
  ReportArguments report;
};

std::string EndingOf(const ExitStatus& status) {
  return status.signal != 0 ? "signal " + std::to_string(status.signal)
                            : "exit " + std::to_string(status.code);
}

// The first option that has no effect on a finding, which is always played as it was found.
std::optional<std::string> NotForFindings(const ArgumentParser& parser) {
  constexpr std::string_view kFor[] = {"--before", "--json", "--junit", "--no-stderr", "--color"};
  for (const OptionFacts& option : parser.options()) {
    const bool named = option.name.starts_with("--");
    if (named && option.given &&
        std::find(std::begin(kFor), std::end(kFor), option.name) == std::end(kFor)) {
      return option.name;
    }
  }
  return std::nullopt;
}

// Starts nothing, so it needs no plugin.
int Leaves(const ReplayArguments& arguments) {
  Result<ParsedDeclarations> parsed = arguments.declare.ParseOptions({arguments.trace});
  if (!parsed) return Fail(parsed.error());
  const auto loaded =
      LoadTrace(arguments.trace, wire::Direction::kHostToPlugin, std::move(parsed->declared));
  if (!loaded) return Fail(loaded.error());
  return PrintLeaves(loaded->get(), arguments.report.json);
}

// The first option that --learn excludes.
std::optional<std::string> NotForLearning(const ArgumentParser& parser) {
  for (const char* name : {"--update", "--suggest-ignores", "--record", "--json", "--junit"}) {
    if (parser.Given(name)) return name;
  }
  return std::nullopt;
}

bool HasOptionsBesideLearn(const ArgumentParser& parser) {
  const std::vector<OptionFacts> options = parser.options();
  return std::any_of(options.begin(), options.end(), [](const OptionFacts& option) {
    return option.given && option.name.starts_with('-') && option.name != "--learn";
  });
}

constexpr int64_t kMostRuns = 1000;

std::optional<size_t> RunsOf(const std::string& text) {
  const auto runs = wire::ParseCount(text);
  if (!runs || *runs < 2 || *runs > kMostRuns) return std::nullopt;
  return static_cast<size_t>(*runs);
}

// The cassette of a finding: whether the plugin still has the fault.
int PlayFinding(const ReplayArguments& arguments, const ArgumentParser& parser,
                const fuzz::FindingRecord& finding) {
  if (const auto option = NotForFindings(parser)) {
    return Fail({*option + ": has no effect on the cassette of a finding", arguments.trace,
                 "use only --before, --json, --junit, --no-stderr and --color"});
  }
  return ReplayFinding(arguments.trace, finding, BeforeStarts(arguments.before),
                       arguments.report.json, arguments.report.junit);
}

// Runs until the replay is stable, and declares what varies.
int LearnFrom(const ReplayArguments& arguments, const ArgumentParser& parser,
              const ParsedDeclarations& parsed, const replay::PlayerOptions& options) {
  if (const auto option = NotForLearning(parser))
    return Fail({*option + ": has no effect with --learn", arguments.trace, "learn first"});
  const std::optional<size_t> runs = RunsOf(arguments.learn);
  if (!runs) {
    return Fail(WrongValue("--learn", arguments.learn, "not a number of runs", "try 2 to 1000"));
  }
  return Learn({.trace = arguments.trace,
                .runs = *runs,
                .before = arguments.before,
                .declared = parsed.declared,
                .background = parsed.background,
                .labels = parsed.labels,
                .options = options,
                .other_options = HasOptionsBesideLearn(parser)});
}

PluginRunOptions RunOptionsOf(const ReplayArguments& arguments) {
  return {.before = arguments.before,
          .record = arguments.record,
          .pass_stderr = !arguments.no_stderr,
          .timed = !arguments.report.junit.empty()};
}

// Prints the places that change from run to run.
int Suggest(const ReplayArguments& arguments, const ParsedDeclarations& parsed,
            replay::PlayerOptions options, replay::Loaded* loaded, size_t runs) {
  const Result<replay::CallNames> names = replay::CallNames::Of(loaded, parsed.labels);
  if (!names) return Fail(names.error());
  Suggestions suggestions(&*names);
  options.variations = &suggestions;
  RunFaults faults;
  bool incomplete = false;
  for (size_t i = 0; i < runs; ++i) {
    const Result<PluginRun> run = RunOnce(RunOptionsOf(arguments), options, loaded, nullptr);
    if (!run) return Fail(run.error());
    if (run->interrupted != 0) io::DieBy(run->interrupted);
    suggestions.EndRun();
    faults.AddRun(run->report);
    incomplete = incomplete || run->incomplete;
  }
  Output output;
  suggestions.Append(output.text());
  const int written = output.Finish();
  for (const std::string& line : faults.Lines()) ReportNote(line);
  if (written != kFine || incomplete) return kDataLost;
  return faults.any() ? kDifference : kFine;
}

// Plays it once and reports; with --update, accepts what differs.
int PlayOnce(const ReplayArguments& arguments, ParsedDeclarations* parsed,
             replay::PlayerOptions options, replay::Loaded* loaded) {
  LookForUnused(loaded, &parsed->unused);
  options.unused = &parsed->unused;
  Update update(&loaded->script);
  Result<PluginRun> run =
      RunOnce(RunOptionsOf(arguments), options, loaded, arguments.update ? &update : nullptr);
  if (!run) return Fail(run.error());
  if (run->interrupted != 0) io::DieBy(run->interrupted);
  const view::ReportContext context = {.trace = arguments.trace,
                                       .verb = "replay",
                                       .head = std::move(parsed->head),
                                       .ending = EndingOf(run->status),
                                       .methods = loaded->script.methods,
                                       .seconds = run->seconds,
                                       .method_seconds = run->method_seconds};
  const int written = WriteReport(run->report, context, arguments.report);
  ReportUnused(parsed->unused);
  if (written != kFine) return written;
  if (run->incomplete) return kDataLost;
  if (arguments.update && !run->report.same()) {
    const Result<Update::Written> updated =
        update.Write(arguments.trace, loaded, run->report, {run->status.code, run->status.signal},
                     {parsed->declared, options}, arguments.accept_crash);
    if (!updated) return Fail(updated.error());
    ReportNote("updated " + arguments.trace + " (previous version: " + updated->old + ")");
    if (arguments.report.json) return kFine;  // stdout has one object
    Output output;
    output.Write("updated: " + updated->Text() + "\n");
    return output.Finish();
  }
  if (!run->report.same()) return kDifference;
  return loaded->damaged_bytes == 0 ? kFine : kDataLost;
}

// What is odd about the trace, before it is played.
void ReportOddities(const std::string& trace, const replay::Loaded& loaded) {
  ReportWarnings(trace, loaded.declared);
  if (loaded.damaged_bytes == 0) return;
  ReportNote("the trace is damaged: " + wire::Counted(loaded.damaged_bytes, "byte") +
             " unreadable (midwire show reports where)");
}

int Replay(const ReplayArguments& arguments, const ArgumentParser& parser) {
  if (arguments.leaves) return Leaves(arguments);
  if (PluginCommand().empty() || PluginCommand()[0].empty())
    return Fail({"no plugin to run", "", "midwire replay TRACE [options] -- PLUGIN ARGS..."});
  if (const Status one = TakesOneTrace("replay"); !one) return Fail(one.error());
  for (const char* option : {"--update", "--learn"}) {
    if (!parser.Given(option)) continue;
    if (const Status can = CanReplace(option, arguments.trace); !can) return Fail(can.error());
  }
  const Status can_report =
      CanOverwrite({{"--junit", arguments.report.junit}},
                   {arguments.trace, arguments.declare.dialect, arguments.record});
  if (!can_report) return Fail(can_report.error());
  const auto finding = FindingOf(arguments.trace);
  if (!finding) {
    return FailUnreadable(finding.error(), "replay", arguments.trace, arguments.report);
  }
  if (*finding) return PlayFinding(arguments, parser, **finding);
  Result<ParsedDeclarations> parsed = arguments.declare.ParseOptions({arguments.trace});
  if (!parsed) return Fail(parsed.error());
  parsed->declared.host = CurrentHost(/*with_pid=*/true);
  const Result<replay::PlayerOptions> options = arguments.play.ParseOptions();
  if (!options) return Fail(options.error());
  const bool suggests = !arguments.suggest.empty();
  const std::optional<size_t> runs = RunsOf(suggests ? arguments.suggest : "2");
  if (!runs) {
    return Fail(WrongValue("--suggest-ignores", arguments.suggest, "not a number of runs",
                           "try 2 to 1000"));
  }
  if (!arguments.learn.empty()) return LearnFrom(arguments, parser, *parsed, *options);
  if (const Status can = CanCreateTape("--record", arguments.record); !can)
    return Fail(can.error());
  const auto loaded = LoadTrace(arguments.trace, options->ours, parsed->declared);
  if (!loaded) {
    return FailUnreadable(WithImport(loaded.error(), arguments.trace), "replay", arguments.trace,
                          arguments.report);
  }
  ReportUnusedMaps(**loaded);
  if (options->speed > 0 && !(*loaded)->script.timed) {
    return Fail({"--timing: the trace has no times", arguments.trace,
                 "replay the tape, or a cassette made by midwire convert --times"});
  }
  ReportOddities(arguments.trace, **loaded);
  return suggests ? Suggest(arguments, *parsed, *options, loaded->get(), *runs)
                  : PlayOnce(arguments, &*parsed, *options, loaded->get());
}

}  // namespace

std::function<int()> DeclareReplay(ArgumentParser parser) {
  auto arguments = std::make_shared<ReplayArguments>();
  parser.AddOption("TRACE", &arguments->trace, "tape or cassette, - for standard input").Required();
  // Declared for the help text only: main removes the plugin's command before the rest is parsed.
  parser
      .AddOption("PLUGIN", &arguments->shown_only,
                 "after --, the plugin's command with its arguments (--leaves needs none)")
      .TypeName("-- PLUGIN [ARGS...]");
  arguments->declare.AddTo(parser);
  arguments->play.AddTo(parser, /*with_timeout=*/true);
  parser.AddFlag("--learn{5}", &arguments->learn,
                 "run the plugin N times (5), find what varies, and declare it in the cassette's "
                 "header (the previous version stays as NAME.old); of a tape, write a cassette "
                 "beside it. If anything varies, the plugin runs N times more with what is "
                 "declared, and again for each time that shows more: at least twice N times");
  Option suggest = parser.AddOption(
      "--suggest-ignores", &arguments->suggest,
      "run the plugin this many times and print the places that change from run to run "
      "(--learn declares them)");
  parser.AddFlag("--leaves", &arguments->leaves,
                 "start nothing: list how each value of the plugin's messages counts (with --json: "
                 "all of them as one object)");
  parser.AddFlag(
      "--update", &arguments->update,
      "accept the differences: write them into the trace (the previous version stays as NAME.old)");
  parser
      .AddFlag("--accept-crash", &arguments->accept_crash,
               "with --update: also accept a crash, a hang or an early exit; the trace ends there")
      .Needs("--update");
  parser.AddOption("--before", &arguments->before,
                   "run this shell command before each run of the plugin, as in --before 'rm -rf "
                   "state'; if it fails, so does the replay");
  parser.AddOption("--record", &arguments->record, "record this run to a tape");
  parser.AddFlag("--no-stderr", &arguments->no_stderr, "do not show the plugin's stderr");
  arguments->report.AddTo(parser);
  for (const char* option : {"--update", "--json", "--junit"}) suggest.Excludes(option);
  parser.Footer(kReplayFooter);
  return [arguments, parser] { return Replay(*arguments, parser); };
}

}  // namespace midwire::tools
