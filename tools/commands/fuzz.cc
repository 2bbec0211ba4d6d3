// midwire fuzz: looks for what makes a plugin fail, and keeps it as cassettes.
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fuzz/live/campaign.h"
#include "fuzz/live/peer.h"
#include "spdlog/spdlog.h"
#include "tools/command.h"
#include "tools/fuzz_export.h"
#include "tools/fuzz_status.h"
#include "tools/load_seeds.h"
#include "tools/output.h"
#include "tools/quantity.h"
#include "tools/read_trace.h"
#include "wire/counted.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

// Of a run's time at most one part of so many goes into the reduction of one finding.
constexpr int64_t kFindings = 6;

constexpr char kFooter[] =
    R"(Each finding is tried again on a fresh process, reduced, and kept as a cassette:
  midwire replay FINDING -- PLUGIN
shows it again, and exits 0 when it is gone. What is looked for: --list-oracles, doc/fuzz.md.
Without --max-time and --max-runs it goes on until Ctrl-C, which ends it with a summary.

Exit status: 0 nothing found, 1 findings, 2 the call is wrong, the plugin cannot be started or says
nothing at all, 3 a job failed.

Examples:
  midwire record -o session.pcapng -- my-plugin --flag      # in the host's place for the plugin
  midwire fuzz --from session.pcapng -- my-plugin --flag
  midwire fuzz --dialect mcp --max-time 5m --jobs 4 -- my-plugin
  midwire fuzz --host --from session.pcapng -- my-host --plugin {plugin}
  midwire fuzz --from session.pcapng --oracle -utf8,+parse-error --json -- my-plugin)";

struct Arguments {
  std::vector<std::string> from;
  std::string dialect, folder = "midwire-fuzz", max_time = "0", max_runs = "0", jobs = "1";
  std::string timeout = "0", oracles, seed, fresh = "1000", max_growth = "512M";
  std::string plugin_name, export_to;
  std::vector<std::string> shown_only;
  bool host = false, list_oracles = false, json = false, stop_on_finding = false;
};

// Ctrl-C: asked by the loop below.
volatile sig_atomic_t interrupted = 0;
// Signals within this time are one: nobody who is impatient is so soon.
constexpr int64_t kOneSignal = 500'000'000;

int Fail(const Error& error) {
  ReportError(error);
  return kUsage;
}

int ListOracles() {
  Output output;
  for (const fuzz::OracleSpec& spec : fuzz::Oracles()) {
    std::string line = spec.name;
    line.resize(16, ' ');
    output.Write(line + (spec.on ? "on   " : "off  ") + spec.text + "\n");
  }
  return output.Finish();
}

Error Wrong(const char* option, const std::string& value, const char* remedy) {
  return {std::string(option) + ": cannot be used", "\"" + value + "\"", remedy};
}

struct Plan {
  fuzz::EngineOptions engine;
  int64_t max_time_ns = 0;
  int jobs = 1;
};

Result<Plan> ParseOptions(const Arguments& arguments) {
  Plan plan;
  const auto time = ParseTime(arguments.max_time), timeout = ParseTime(arguments.timeout);
  const auto runs = ParseCount(arguments.max_runs), jobs = ParseCount(arguments.jobs);
  const auto fresh = ParseCount(arguments.fresh);
  const auto growth = ParseSize(arguments.max_growth);
  if (!time) return Wrong("--max-time", arguments.max_time, "a time: 30s, 5m, 8h");
  if (!timeout) return Wrong("--timeout", arguments.timeout, "a time: 500ms, 2s");
  if (!runs) return Wrong("--max-runs", arguments.max_runs, "a whole number");
  if (!jobs || *jobs < 1 || *jobs > 256) return Wrong("--jobs", arguments.jobs, "1 to 256");
  if (!fresh || *fresh < 1) return Wrong("--fresh", arguments.fresh, "1 or more runs");
  if (!growth || *growth < 1) return Wrong("--max-growth", arguments.max_growth, "a size: 512M");
  // A host that ends when its plugin talks nonsense is right, unless it is asked not to.
  const std::string& words = arguments.oracles;
  const bool changes = words.empty() || words[0] == '+' || words[0] == '-';
  const auto oracles = fuzz::ParseOracles(!arguments.host || !changes ? words
                                          : words.empty()             ? "-exit"
                                                                      : "-exit," + words);
  if (!oracles) return oracles.error();
  uint64_t seed = std::random_device{}();
  if (!arguments.seed.empty()) {
    const auto given = ParseCount(arguments.seed);
    if (!given) return Wrong("--seed", arguments.seed, "a whole number");
    seed = static_cast<uint64_t>(*given);
  }
  if (arguments.host) {
    const std::string& name = arguments.plugin_name;
    const auto& argv = PluginCommand();
    const bool placed = std::any_of(argv.begin(), argv.end(), [](const std::string& word) {
      return word.find("{plugin}") != std::string::npos;
    });
    if (!placed && name.empty()) {
      return Error{"--host: where does the host get its plugin?", "",
                   "put {plugin} where its command line names one, or --plugin-name NAME for one "
                   "that it looks for on PATH"};
    }
    if (!name.empty() && !fuzz::IsPluginName(name)) {
      return Wrong("--plugin-name", name, "a name without a folder");
    }
    if (arguments.from.empty()) {
      return Error{"--host: what does a plugin say?", "",
                   "--from TRACE tells, one that was recorded"};
    }
    plan.engine.runner.host = true;
    plan.engine.runner.plugin_name = name;
  } else if (!arguments.plugin_name.empty()) {
    return Error{"--plugin-name goes with --host", arguments.plugin_name, ""};
  }
  plan.max_time_ns = *time;
  if (*time != 0) {
    // A short run is to see more than the first thing that it finds.
    int64_t& one = plan.engine.investigate.max_time_ns;
    one = std::clamp(*time / kFindings, std::min(fuzz::kLeastInvestigation, one), one);
  }
  plan.jobs = static_cast<int>(*jobs);
  fuzz::EngineOptions& engine = plan.engine;
  engine.runner.argv = PluginCommand();
  engine.runner.oracle.oracles = *oracles;
  engine.runner.timeout_ns = *timeout;
  engine.runner.runs_per_peer = static_cast<size_t>(*fresh);
  engine.runner.max_growth = static_cast<uint64_t>(*growth);
  engine.seed = seed;
  engine.max_runs = static_cast<uint64_t>(*runs);
  if (arguments.folder.empty()) return Wrong("-o", "", "a folder");
  engine.corpus = arguments.folder + "/corpus";
  engine.shares = plan.jobs > 1;
  engine.findings = arguments.folder + "/findings";
  engine.stop_on_finding = arguments.stop_on_finding;
  return plan;
}

// Whether what is said has requests in it. Who hears only notifications may be silent.
bool Asks(const fuzz::Seeds& seeds) {
  return std::any_of(seeds.inputs.begin(), seeds.inputs.end(), [](const fuzz::Input& input) {
    return std::any_of(input.parts.begin(), input.parts.end(), [](const fuzz::Part& part) {
      return part.bytes.find("\"id\"") != part.bytes.npos &&
             part.bytes.find("\"method\"") != part.bytes.npos;
    });
  });
}

// Nothing was heard, so next to nothing could be found. 0 would say that all is well.
int ReportSilence(const fuzz::Totals& totals, const Arguments& arguments) {
  const char* party = arguments.host ? "host" : "plugin";
  if (totals.runs == 0) {
    spdlog::error(
        "nothing was tried: --max-time was over before the {} was known; has it the framing of the "
        "trace, and does it answer?",
        party);
  } else if (arguments.from.empty()) {
    spdlog::error(
        "the {} has said nothing at all: --from TRACE or --dialect tells what it hears, and in "
        "which framing",
        party);
  } else {
    spdlog::error("the {} has said nothing at all: is it the one of the trace?", party);
  }
  return kUsage;
}

std::string DialectText(const LoadedSeeds& seeds) {
  if (seeds.dialect_name.empty()) return "no dialect";
  return "dialect " + wire::Escaped(seeds.dialect_name) +
         (seeds.dialect_told ? ", told by the trace (--dialect names another, or none)" : "");
}

// What cannot be started is to leave nothing behind.
Status CanBeStarted(const std::string& name) {
  const std::string program = fuzz::FindProgram(name);
  if (!program.empty() && access(program.c_str(), X_OK) == 0) return Ok{};
  return Error{"cannot be started", name, program.empty() ? "no such program" : strerror(errno)};
}

int Export(const Arguments& arguments) {
  const auto written = ExportHarness(arguments.export_to, {.dialect = arguments.dialect});
  if (!written) return Fail(written.error());
  if (written->empty()) spdlog::info("all of it is there already");
  Output output;
  output.Write(*written);
  return output.Finish();
}

int Fuzz(const Arguments& arguments) {
  if (arguments.list_oracles) return ListOracles();
  if (!arguments.export_to.empty()) return Export(arguments);
  if (PluginCommand().empty() || PluginCommand()[0].empty()) {
    return Fail({"no plugin to run", "", "midwire fuzz [options] -- PLUGIN ARGS..."});
  }
  Result<Plan> plan = ParseOptions(arguments);
  if (!plan) return Fail(plan.error());
  const Status startable = CanBeStarted(PluginCommand()[0]);
  if (!startable) return Fail(startable.error());
  const auto role =
      arguments.host ? wire::Direction::kPluginToHost : wire::Direction::kHostToPlugin;
  auto loaded = LoadSeeds(arguments.from, arguments.dialect, role);
  if (!loaded) return Fail(loaded.error());
  LoadedSeeds& seeds = **loaded;
  plan->engine.dialect = seeds.dialect_name;
  plan->engine.runner.oracle.dialect = seeds.dialect.get();
  if (!arguments.json) {
    spdlog::info("seed {}; {}, {}; {}", plan->engine.seed,
                 wire::Counted(seeds.seeds.inputs.size(), "input"),
                 wire::Counted(seeds.seeds.words.methods().size(), "method"), DialectText(seeds));
  }
  if (seeds.damaged_bytes > 0) {
    ReportNote("the traces are damaged: " + wire::Counted(seeds.damaged_bytes, "byte") +
               " could not be read (midwire show tells where)");
  }
  if (seeds.seeds.left_out > 0) {
    ReportNote("of the traces " + std::to_string(seeds.seeds.left_out) +
               " messages or sessions are left out: a seed has " + std::to_string(fuzz::kMaxParts) +
               " messages at most, all seeds 64 MiB");
  }

  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = interrupted + 1; };
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
  FuzzStatus status(arguments.json);
  fuzz::Campaign campaign;
  const Status started = campaign.Start(plan->engine, plan->jobs, &seeds.seeds);
  if (!started) return Fail(started.error());

  const int64_t begin = fuzz::MonotonicNow();
  std::vector<std::string> lines;
  int64_t first_signal = 0;
  int stops = 0, earlier = 0;  // signals of before the run was over
  bool over = false;
  while (true) {
    const bool more = campaign.Poll(100, &lines);
    bool found = false;
    for (const std::string& line : lines) {
      found = found || line.find("\"event\":\"finding\"") != std::string::npos;
      status.OnLine(line);
    }
    lines.clear();
    if (!more) break;
    const int64_t now = fuzz::MonotonicNow();
    status.OnTotals(campaign.totals(), now - begin, now);
    // What tells a whole group to end may tell us twice (timeout does).
    if (interrupted != 0 && first_signal == 0) first_signal = now;
    if (first_signal != 0 && now - first_signal < kOneSignal) interrupted = 1;
    if (!over) earlier = interrupted;
    over = over || (plan->max_time_ns != 0 && now - begin >= plan->max_time_ns) ||
           (found && arguments.stop_on_finding) || status.failed();
    const int wanted = std::min(2, over ? std::max(1 + interrupted - earlier, earlier) : earlier);
    for (; stops < wanted; ++stops) campaign.Stop();
  }
  const int64_t now = fuzz::MonotonicNow();
  const fuzz::Totals totals = campaign.totals();
  if (status.failed() && totals.runs == 0) return kUsage;
  const int written = status.Finish(totals, now - begin, plan->engine.findings);
  if (written != kFine) return written;
  if (campaign.failed()) return kDataLost;
  if (totals.findings + totals.known > 0) return kDifference;
  const bool silent = totals.states == 0 && (arguments.host || Asks(seeds.seeds));
  return silent && interrupted == 0 ? ReportSilence(totals, arguments) : kFine;
}

}  // namespace

std::function<int()> DeclareFuzz(CLI::App* app) {
  auto arguments = std::make_shared<Arguments>();
  // Named for the help alone: main cuts the plugin's command off before it could fill this.
  app->add_option("PLUGIN", arguments->shown_only,
                  "the plugin's command, with all its arguments; with --host the host's");
  app->add_flag(
      "--host", arguments->host,
      "fuzz a host instead: {plugin} in its command line becomes a stand-in for its plugin");
  app->add_option("--plugin-name", arguments->plugin_name,
                  "with --host: the stand-in has this name and is first on PATH");
  app->add_option("--from", arguments->from, "a trace to start from; may be given several times")
      ->allow_extra_args(false);
  app->add_option("--dialect", arguments->dialect,
                  "a built-in dialect, a file, or none; default: told by the traces (with --export "
                  "a built-in one)");
  app->add_option("--seed", arguments->seed, "of all chance; default: another each time, and told");
  app->add_option("--max-time", arguments->max_time, "end after so long (30s, 8h); 0: never");
  app->add_option("--max-runs", arguments->max_runs, "end after so many inputs; 0: never");
  app->add_option("-o,--output", arguments->folder,
                  "folder for inputs and findings; a later run goes on from there")
      ->capture_default_str();
  app->add_option("--jobs", arguments->jobs, "so many at once, each on a processor of its own")
      ->capture_default_str();
  app->add_option("--timeout", arguments->timeout,
                  "for an answer; 0: twenty times the slowest at the start, 100 ms to 2 s");
  app->add_option("--fresh", arguments->fresh, "start the plugin anew after so many inputs")
      ->capture_default_str();
  app->add_option("--max-growth", arguments->max_growth, "memory that the plugin may add")
      ->capture_default_str();
  app->add_option("--oracle", arguments->oracles,
                  "what to look for: +NAME,-NAME change what is on; NAME,NAME just these; all and "
                  "none may stand before changes");
  app->add_option("--export", arguments->export_to,
                  "write harnesses for a C++ decoder and dispatcher into this project, with what "
                  "OSS-Fuzz and ClusterFuzzLite ask for");
  app->add_flag("--list-oracles", arguments->list_oracles, "list what may be looked for");
  app->add_flag("--stop-on-finding", arguments->stop_on_finding, "end at the first finding");
  app->add_flag("--json", arguments->json, "events as JSON lines on stdout");
  app->footer(kFooter);
  return [arguments] { return Fuzz(*arguments); };
}

}  // namespace midwire::tools
