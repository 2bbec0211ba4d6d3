// midwire fuzz: finds inputs that make a plugin or a host fail, and saves them as cassettes.
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fuzz/live/campaign.h"
#include "io/clock.h"
#include "io/interrupt.h"
#include "io/process/launcher.h"
#include "io/signals.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/fuzzing/explain.h"
#include "tools/fuzzing/export.h"
#include "tools/fuzzing/load_seeds.h"
#include "tools/fuzzing/reduction.h"
#include "tools/fuzzing/status.h"
#include "tools/output.h"
#include "tools/replaying/before.h"
#include "wire/counted.h"
#include "wire/quantity.h"

namespace midwire::tools {
namespace {

// At most this fraction (one in kFindings) of a run's time goes into reducing one finding.
constexpr int64_t kFindings = 6;

constexpr char kFuzzFooter[] =
    R"(Each finding is confirmed on a fresh process, reduced, and saved as a cassette. To reproduce it:
  midwire replay FINDING -- PLUGIN
which exits with 0 once the finding no longer occurs. --list-oracles and doc/fuzz.md describe what counts
as a finding; --explain FINDING shows it for the messages of one. Without --max-time and --max-runs it runs until Ctrl-C, which prints a summary.

Exit status: 0 no findings but notes, 1 errors or warnings, 2 usage error, or the plugin cannot be started or
sends nothing, or the command of --before fails at the first start, 3 a job failed, or inputs or findings
could not be written.

Examples:
  midwire record -o session.pcapng -- my-plugin --flag      # run by the host in place of the plugin
  midwire fuzz --from session.pcapng -- my-plugin --flag
  midwire fuzz --dialect mcp --max-time 5m --jobs 4 -- my-plugin
  midwire fuzz --host --from session.pcapng -- my-host --plugin {plugin}
  midwire fuzz --from session.pcapng --oracle -utf8,+parse-error --json -- my-plugin
  midwire fuzz --from session.pcapng --before 'rm -rf state' -- my-plugin --state state)";

struct FuzzArguments {
  std::vector<std::string> from;
  std::string dialect, folder = "midwire-fuzz", max_time = "0", max_runs = "0", jobs = "1";
  std::string reduce_time = "0";
  std::string timeout = "0", oracles, seed, fresh = "1000", max_growth = "512M", max_input = "64K";
  std::string plugin_name, export_to, before, explain;
  std::vector<std::string> shown_only;
  bool host = false, list_oracles = false, json = false, stop_on_finding = false;
};

// Signals within this time count as one: `timeout` sends two, and a person is not that fast.
constexpr int64_t kOneSignal = 500'000'000;
// Of --max-input. The upper one is half of what is kept of the inputs of a process.
constexpr int64_t kLeastInput = 64 << 10, kMostInput = 16 << 20;
constexpr int64_t kLookNs = 100'000'000;  // between two checks of time and signals

int ListOracles() {
  Output output;
  for (const fuzz::OracleSpec& spec : fuzz::Oracles()) {
    std::string line = spec.name;
    line.resize(16, ' ');
    output.Write(line + (spec.on ? "on   " : "off  ") + spec.text + "\n");
  }
  return output.Finish();
}

struct FuzzPlan {
  fuzz::EngineOptions engine;
  int64_t max_time_ns = 0, reduce_time_ns = 0;
  int jobs = 1;
};

Result<FuzzPlan> ParseFuzzOptions(const FuzzArguments& arguments) {
  FuzzPlan plan;
  const auto time = wire::ParseDuration(arguments.max_time),
             timeout = wire::ParseDuration(arguments.timeout);
  const auto runs = wire::ParseCount(arguments.max_runs), jobs = wire::ParseCount(arguments.jobs);
  const auto fresh = wire::ParseCount(arguments.fresh);
  const auto growth = wire::ParseSize(arguments.max_growth);
  if (!time)
    return WrongValue("--max-time", arguments.max_time, "not a duration", "try 30s, 5m, 8h");
  const auto reduce_time = wire::ParseDuration(arguments.reduce_time);
  if (!reduce_time)
    return WrongValue("--reduce-time", arguments.reduce_time, "not a duration", "try 30s, 5m");
  if (!timeout)
    return WrongValue("--timeout", arguments.timeout, "not a duration", "try 500ms, 2s");
  if (!runs) return WrongValue("--max-runs", arguments.max_runs, "not a number", "try 100000");
  if (!jobs || *jobs < 1 || *jobs > 256)
    return WrongValue("--jobs", arguments.jobs, "not a number of jobs", "use 1 to 256");
  if (!fresh || *fresh < 1)
    return WrongValue("--fresh", arguments.fresh, "not a number of runs", "use 1 or more");
  if (!growth || *growth < 1)
    return WrongValue("--max-growth", arguments.max_growth, "not a size", "try 512M");
  const auto input = wire::ParseSize(arguments.max_input);
  if (!input || *input < kLeastInput || *input > kMostInput)
    return WrongValue("--max-input", arguments.max_input, "not a size from 64K to 16M", "try 4M");
  // A host may exit when its plugin sends nonsense, so `exit` is off for hosts by default.
  const std::string& words = arguments.oracles;
  const bool changes = words.empty() || words[0] == '+' || words[0] == '-';
  const auto oracles = fuzz::ParseOracles(!arguments.host || !changes ? words
                                          : words.empty()             ? "-exit"
                                                                      : "-exit," + words);
  if (!oracles) return oracles.error();
  uint64_t seed = std::random_device{}();
  if (!arguments.seed.empty()) {
    const auto given = wire::ParseCount(arguments.seed);
    if (!given) return WrongValue("--seed", arguments.seed, "not a number", "use a whole number");
    seed = static_cast<uint64_t>(*given);
  }
  if (arguments.host) {
    const std::string& name = arguments.plugin_name;
    const auto& argv = PluginCommand();
    const bool placed = std::any_of(argv.begin(), argv.end(), [](const std::string& word) {
      return word.find("{plugin}") != std::string::npos;
    });
    if (!placed && name.empty()) {
      return Error{
          "--host: the host's command names no plugin", "",
          "write {plugin} where the plugin's command belongs, or add --plugin-name NAME if the "
          "host looks for it on PATH"};
    }
    if (!name.empty() && !fuzz::IsPluginName(name)) {
      return WrongValue("--plugin-name", name, "not a plain file name",
                        "use a name without a slash");
    }
    if (arguments.from.empty()) {
      return Error{"--host needs --from", "",
                   "name a recorded trace: the stand-in sends its plugin's messages"};
    }
    plan.engine.runner.host = true;
    plan.engine.runner.plugin_name = name;
  } else if (!arguments.plugin_name.empty()) {
    return Error{"--plugin-name needs --host", arguments.plugin_name, "add --host, or remove it"};
  }
  plan.max_time_ns = *time;
  if (*time != 0) {
    // A short run should not spend all its time on the first finding.
    int64_t& one = plan.engine.investigate.max_time_ns;
    one = std::clamp(*time / kFindings, std::min(fuzz::kLeastInvestigation, one), one);
  }
  plan.reduce_time_ns = *reduce_time;
  plan.jobs = static_cast<int>(*jobs);
  fuzz::EngineOptions& engine = plan.engine;
  engine.runner.argv = PluginCommand();
  engine.runner.oracle.oracles = *oracles;
  engine.runner.before = BeforeStarts(arguments.before);
  engine.runner.timeout_ns = *timeout;
  engine.runner.runs_per_peer = static_cast<size_t>(*fresh);
  engine.runner.max_growth = static_cast<uint64_t>(*growth);
  engine.max_input = arguments.host ? 0 : static_cast<size_t>(*input);
  engine.seed = seed;
  engine.max_runs = static_cast<uint64_t>(*runs);
  engine.max_time_ns = *time;
  if (arguments.folder.empty())
    return Error{"-o: no folder is named", "", "name one, like midwire-fuzz"};
  engine.corpus = arguments.folder + "/corpus";
  engine.findings = arguments.folder + "/findings";
  engine.stop_on_finding = arguments.stop_on_finding;
  return plan;
}

// Whether the inputs contain requests. A peer that gets only notifications may send nothing.
bool Asks(const fuzz::Seeds& seeds) {
  return std::any_of(seeds.inputs.begin(), seeds.inputs.end(), [](const fuzz::Input& input) {
    return std::any_of(input.parts.begin(), input.parts.end(), [](const fuzz::Part& part) {
      return part.bytes.find("\"id\"") != part.bytes.npos &&
             part.bytes.find("\"method\"") != part.bytes.npos;
    });
  });
}

// Nothing was received, so hardly anything could be found: exit 0 would be misleading.
int ReportNothingReceived(const fuzz::Totals& totals, const FuzzArguments& arguments) {
  const std::string party = arguments.host ? "host" : "plugin";
  if (totals.runs == 0) {
    ReportError({"no input was tried: --max-time ended while the " + party + " was being measured",
                 "", "check that it uses the framing of the trace and that it answers"});
  } else if (arguments.from.empty()) {
    ReportError({"the " + party + " has sent nothing", "",
                 "name its protocol and framing with --from TRACE or --dialect"});
  } else {
    ReportError(
        {"the " + party + " has sent nothing", "", "check that it is the one in the trace"});
  }
  return kUsage;
}

// Checked before anything is written.
Status CanBeStarted(const std::string& name) {
  const std::string program = io::FindExecutable(name);
  if (!program.empty() && access(program.c_str(), X_OK) == 0) return Ok{};
  return Error{"cannot be started", name, program.empty() ? "no such program" : strerror(errno)};
}

int ExportTargets(const FuzzArguments& arguments) {
  const auto written = ExportHarness(arguments.export_to, {.dialect = arguments.dialect});
  if (!written) return Fail(written.error());
  if (written->empty()) ReportNote("all files exist already");
  Output output;
  output.Write(*written);
  return output.Finish();
}

// Options behind the plugin's command are the plugin's. One that is given before it, too, is meant.
void WarnOfOptionsBehind(const ArgumentParser& parser) {
  const std::vector<OptionFacts> options = parser.options();
  const auto& argv = PluginCommand();
  for (size_t i = 1; i < argv.size(); ++i) {
    const std::string name = argv[i].substr(0, argv[i].find('='));
    const auto is_ours = [&](const OptionFacts& option) {
      return option.name == name && name.starts_with("--") && name != "--help" && !option.given;
    };
    if (!std::any_of(options.begin(), options.end(), is_ours)) continue;
    return ReportWarning(name + " is passed to the plugin; put it before --");
  }
}

int Fuzz(const FuzzArguments& arguments, const ArgumentParser& parser) {
  if (arguments.list_oracles) return ListOracles();
  if (!arguments.export_to.empty()) return ExportTargets(arguments);
  if (!arguments.explain.empty()) return ExplainFinding(arguments.explain);
  if (PluginCommand().empty() || PluginCommand()[0].empty())
    return Fail({"no plugin to run", "", "midwire fuzz [options] -- PLUGIN ARGS..."});
  WarnOfOptionsBehind(parser);
  Result<FuzzPlan> plan = ParseFuzzOptions(arguments);
  if (!plan) return Fail(plan.error());
  const Status startable = CanBeStarted(PluginCommand()[0]);
  if (!startable) return Fail(startable.error());
  const auto role =
      arguments.host ? wire::Direction::kPluginToHost : wire::Direction::kHostToPlugin;
  auto loaded = LoadSeeds(arguments.from, arguments.dialect, role);
  if (!loaded) return Fail(loaded.error());
  LoadedSeeds& seeds = **loaded;
  plan->engine.dialect = seeds.dialect_name;
  plan->engine.exempt = seeds.exempt;
  plan->engine.runner.oracle.dialect = seeds.dialect.get();
  if (!arguments.json) {
    ReportNote("seed " + std::to_string(plan->engine.seed) + "; " +
               wire::Counted(seeds.seeds.inputs.size(), "input") + ", " +
               wire::Counted(seeds.seeds.words.methods().size(), "method") + "; " +
               seeds.dialect_text);
    for (const std::string& clause : seeds.exempt) {
      ReportNote("the traces break this clause of the dialect, so it is exempt: " + clause);
    }
  }
  if (seeds.damaged_bytes > 0) {
    ReportNote("the traces are damaged: " + wire::Counted(seeds.damaged_bytes, "byte") +
               " unreadable (midwire show reports where)");
  }
  if (seeds.seeds.left_out > 0) {
    ReportNote("left out " + std::to_string(seeds.seeds.left_out) +
               " messages or sessions of the traces: a seed has at most " +
               std::to_string(fuzz::kMaxParts) + " messages, all seeds together 64 MiB");
  }

  io::CatchInterrupts({SIGINT, SIGTERM, SIGHUP}, io::Ignored::kIsCaught);
  io::IgnoreSignals({SIGXFSZ});  // a limit of files' sizes is reported as a full disk is
  FuzzStatus status(arguments.json);
  fuzz::Campaign campaign;
  const Status started = campaign.Start(plan->engine, plan->jobs, &seeds.seeds);
  if (!started) {
    ReportError(started.error());
    return campaign.output_failed() ? kDataLost : kUsage;
  }

  const int64_t begin = io::MonotonicNow();
  std::vector<std::string> lines;
  int64_t first_signal = 0;
  int stops = 0, earlier = 0;  // signals received before the run was over
  int repeats = 0;             // signals that came together with the first
  bool over = false;
  while (true) {
    const bool more = campaign.Poll(kLookNs, &lines);
    for (const std::string& line : lines) status.OnLine(line);
    lines.clear();
    if (!more) break;
    const int64_t now = io::MonotonicNow();
    status.OnTotals(campaign.totals(), now - begin, now);
    // A process that signals a whole group may signal this one twice (timeout does).
    const int received = io::InterruptCount();
    if (received != 0 && first_signal == 0) first_signal = now;
    if (first_signal != 0 && now - first_signal < kOneSignal) repeats = received - 1;
    const int interrupts = received - repeats;
    if (!over) earlier = interrupts;
    over = over || (plan->max_time_ns != 0 && now - begin >= plan->max_time_ns) ||
           (status.found() && arguments.stop_on_finding) || status.failed();
    const int wanted = std::min(2, over ? std::max(1 + interrupts - earlier, earlier) : earlier);
    for (; stops < wanted; ++stops) campaign.Stop();
  }
  const int64_t now = io::MonotonicNow();
  const fuzz::Totals totals = campaign.totals();
  if (status.failed() && totals.runs == 0) return kUsage;
  if (plan->reduce_time_ns != 0) {
    ReduceFurther(status.unfinished(), plan->reduce_time_ns, plan->engine.runner.before,
                  [&](const std::string& cassette, const Reduction& reduction) {
                    status.OnReduced(cassette, reduction.reduced(), reduction.sent());
                  });
  }
  const Status like = status.SaveLike();
  if (!like) ReportError(like.error());
  const Status inputs = campaign.CheckInputs();
  if (!inputs) ReportError(inputs.error());
  const int written = status.Finish(totals, now - begin, plan->engine.findings);
  if (written != kFine) return written;
  if (campaign.failed() || !like || !inputs) return kDataLost;
  if (totals.findings + totals.known > 0) return totals.fails ? kDifference : kFine;
  const bool silent = totals.states == 0 && (arguments.host || Asks(seeds.seeds));
  return silent && io::InterruptCount() == 0 ? ReportNothingReceived(totals, arguments) : kFine;
}

}  // namespace

std::function<int()> DeclareFuzz(ArgumentParser parser) {
  auto arguments = std::make_shared<FuzzArguments>();
  // Declared for the help text only: main removes the plugin's command before the rest is parsed.
  parser.AddOption("PLUGIN", &arguments->shown_only,
                   "the plugin's command with its arguments; with --host the host's");
  parser.AddFlag(
      "--host", &arguments->host,
      "fuzz a host: {plugin} in its command line is replaced by a stand-in for its plugin");
  parser.AddOption("--plugin-name", &arguments->plugin_name,
                   "with --host: the stand-in gets this name and comes first on PATH");
  parser.AddOption("--from", &arguments->from, "a trace to start from; repeatable").NoExtraValues();
  parser.AddOption("--dialect", &arguments->dialect,
                   "a built-in dialect, a file, or none; default: detected from the traces (with "
                   "--export only a built-in one)");
  parser.AddOption("--seed", &arguments->seed,
                   "random seed; default: a new one each time, printed at the start");
  parser.AddOption("--max-time", &arguments->max_time,
                   "stop after this time (30s, 8h); 0: no limit");
  parser.AddOption("--reduce-time", &arguments->reduce_time,
                   "after the search, reduce findings further for this time (30s, 5m); 0: not");
  parser.AddOption("--max-runs", &arguments->max_runs, "stop after this many inputs; 0: no limit");
  parser
      .AddOption("-o,--output", &arguments->folder,
                 "folder for inputs and findings; a later run continues from it")
      .TypeName("FOLDER")
      .ShowDefault();
  parser.AddOption("--jobs", &arguments->jobs, "number of parallel jobs, each on its own processor")
      .ShowDefault();
  parser.AddOption(
      "--timeout", &arguments->timeout,
      "time limit for an answer; 0: derived from the times of the first answers, 100 ms to 2 s");
  parser.AddOption("--before", &arguments->before,
                   "run this shell command before each start of the plugin, as in --before 'rm -rf "
                   "state'; with --host, of the host");
  parser.AddOption("--fresh", &arguments->fresh, "restart the plugin after this many inputs")
      .ShowDefault();
  parser
      .AddOption("--max-growth", &arguments->max_growth,
                 "memory growth of the plugin that counts as a finding")
      .ShowDefault();
  parser
      .AddOption("--max-input", &arguments->max_input,
                 "largest input; above 64K, one part in 20 of the time goes to large ones: up to a "
                 "million levels, long names, many members, headers and messages (try 4M)")
      .ShowDefault();
  parser.AddOption(
      "--oracle", &arguments->oracles,
      "oracles to use: +NAME,-NAME change the default; NAME,NAME selects only these; all "
      "or none may come first");
  parser.AddOption(
      "--export", &arguments->export_to,
      "write fuzz targets for a C++ decoder and dispatcher into this project, with the files "
      "that OSS-Fuzz and ClusterFuzzLite need");
  parser
      .AddOption("--explain", &arguments->explain,
                 "print how the messages in the cassette of a finding are judged, and why the "
                 "rest is not reported; runs nothing")
      .TypeName("TRACE");
  parser.AddFlag("--list-oracles", &arguments->list_oracles, "list the oracles");
  parser.AddFlag("--stop-on-finding", &arguments->stop_on_finding,
                 "stop at the first error or warning");
  parser.AddFlag("--json", &arguments->json, "print events as JSON Lines on stdout");
  parser.Footer(kFuzzFooter);
  return [arguments, parser] { return Fuzz(*arguments, parser); };
}

}  // namespace midwire::tools
