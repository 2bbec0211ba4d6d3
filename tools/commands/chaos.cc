// midwire chaos: relays and records a session as midwire record does, and injects faults.
#include "fuzz/chaos/chaos.h"

#include <sys/random.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/signals.h"
#include "proxy/record.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/fuzzing/chaos_machine.h"
#include "tools/output_files.h"
#include "trace/filter.h"
#include "wire/json/decimal.h"
#include "wire/quantity.h"

namespace midwire::tools {
namespace {

constexpr char kChaosFooter[] =
    R"(Faults: drop, dup, delay, reorder, split, coalesce, truncate, corrupt, junk (a line that is not a message,
before one); only if named: stall (a long delay), close (of the direction), kill (of the plugin). A message
gets at most one fault. The same seed injects the same faults into the same traffic; the last line on
stderr names the seed. The tape has each message as it was received and an event for each fault: midwire
show prints both.

The exit status is the plugin's, 127 or 126 if it cannot be started, or 2 for a usage error or a tape that
cannot be created.

Examples:
  midwire chaos -- my-plugin --flag
  midwire chaos --faults dup,reorder --rate 50% --on 'dir=p2h kind=notification' -- my-plugin
  midwire chaos --seed 17 --faults all -o chaos.pcapng -- my-plugin; midwire show chaos.pcapng)";

struct ChaosArguments {
  std::vector<std::string> shown_only;
  std::string output, seed, faults, rate = "10%", on, framing = "auto";
  std::string delay = "200ms", stall = "10s";
  bool no_stderr = false, output_given = false;
};

constexpr char kFields[] =
    "use the fields number, dir, kind, method, id, size, code, error, text; at and latency differ "
    "from run to run";

// A pause longer than a day is a mistake.
constexpr int64_t kMaxPauseNs = 86'400'000'000'000;

std::optional<uint64_t> ParseSeed(const std::string& text) {
  uint64_t seed = 0;
  return wire::ParseNumber(text, &seed) ? std::optional(seed) : std::nullopt;
}

// 32 bits, so that it is short enough to type.
uint64_t NewSeed() {
  uint32_t seed = 0;
  (void)!getrandom(&seed, sizeof seed, GRND_NONBLOCK);
  return seed;
}

// "0.25", "25%".
std::optional<double> ParseRate(std::string text) {
  const bool percent = text.ends_with('%');
  if (percent) text.pop_back();
  double rate = 0;
  if (!wire::ParseNumber(text, &rate)) return std::nullopt;
  if (percent) rate /= 100;
  if (!(rate >= 0 && rate <= 1)) return std::nullopt;
  return rate;
}

struct Call {
  proxy::RecordOptions record;
  fuzz::ChaosOptions chaos;
  std::optional<trace::Filter> filter;
};

// On an error, reports it in one line and returns false.
bool ParseChaosOptions(const ChaosArguments& arguments, Call* call) {
  const auto wrong = [](const char* option, const std::string& value, const std::string& what,
                        const std::string& remedy) {
    return Fail(WrongValue(option, value, what, remedy), false);
  };
  if (PluginCommand().empty() || PluginCommand()[0].empty())
    return Fail({"no plugin to run", "", "midwire chaos [options] [--] PLUGIN ARGS..."}, false);
  call->record.argv = PluginCommand();
  call->record.version = MIDWIRE_VERSION;
  call->record.output = arguments.output;
  call->record.record_stderr = !arguments.no_stderr;
  if (arguments.output_given && arguments.output.empty())
    return Fail({"no output is named", "", "name one with -o FILE"}, false);
  if (arguments.output == "-") {
    return wrong("--output", "-", "standard output belongs to the plugin", "name a file");
  }
  if (!wire::ParseFraming(arguments.framing, &call->chaos.framing)) {
    return wrong("--framing", arguments.framing, "no such framing",
                 "try auto, line, content-length");
  }
  call->record.framing = call->chaos.framing;
  const auto seed = arguments.seed.empty() ? NewSeed() : ParseSeed(arguments.seed);
  if (!seed) return wrong("--seed", arguments.seed, "not a seed", "try 0 to 18446744073709551615");
  call->chaos.seed = *seed;
  if (!arguments.faults.empty()) {
    auto faults = fuzz::ParseFaults(arguments.faults);
    if (!faults) {
      return Fail({"--faults: " + faults.error().what, faults.error().where, faults.error().remedy},
                  false);
    }
    call->chaos.faults = std::move(*faults);
  }
  const auto rate = ParseRate(arguments.rate);
  if (!rate) return wrong("--rate", arguments.rate, "not a share of the messages", "try 0.25, 25%");
  call->chaos.rate = *rate;
  const auto delay = wire::ParseDuration(arguments.delay),
             stall = wire::ParseDuration(arguments.stall);
  if (!delay || *delay > kMaxPauseNs) {
    return wrong("--delay", arguments.delay, "not a duration of at most a day", "try 200ms, 2s");
  }
  if (!stall || *stall > kMaxPauseNs) {
    return wrong("--stall", arguments.stall, "not a duration of at most a day", "try 10s");
  }
  call->chaos.delay_ms = *delay / 1'000'000;
  call->chaos.stall_ms = *stall / 1'000'000;
  // Messages held back by a pause are not dropped before the pause ends.
  call->record.drain_ns += std::max(*delay, *stall);
  auto filter = trace::Filter::Compile(arguments.on);
  if (!filter) {
    return Fail({"--on: " + filter.error().what, filter.error().where,
                 filter.error().remedy + "; " + kFields},
                false);
  }
  if (filter->needs_time()) {
    return wrong("--on", arguments.on, "the same seed would not give the same faults", kFields);
  }
  call->filter = std::move(*filter);
  const Status can_be_taped = CanCreateTape("-o", arguments.output);
  if (!can_be_taped) ReportError(can_be_taped.error());
  return can_be_taped.ok();
}

// Everything that is needed to repeat the run.
std::string Note(const ChaosArguments& arguments, const fuzz::ChaosOptions& options) {
  std::string faults;
  for (const fuzz::Fault fault : options.faults) {
    faults += (faults.empty() ? "" : ",") + std::string(Name(fault));
  }
  std::string note = "chaos: seed " + std::to_string(options.seed) + ", faults " + faults +
                     ", rate " + arguments.rate + ", delay " + arguments.delay + ", stall " +
                     arguments.stall;
  if (!arguments.on.empty()) note += ", on " + arguments.on;
  return note;
}

int InjectFaults(const ChaosArguments& arguments) {
  Call call;
  if (!ParseChaosOptions(arguments, &call)) return kUsage;
  fuzz::Chaos chaos(call.chaos, &*call.filter);
  const std::string note = Note(arguments, call.chaos);
  call.record.around = [&](proxy::Machine* relay) {
    return std::make_unique<ChaosMachine>(relay, &chaos, note);
  };
  const proxy::RecordOutcome outcome = proxy::Record(call.record);
  if (!outcome.cannot_start.empty()) ReportError({outcome.cannot_start, "", ""});
  if (outcome.status.signal != 0) io::DieBy(outcome.status.signal);
  return outcome.status.code;
}

}  // namespace

std::function<int()> DeclareChaos(ArgumentParser parser) {
  auto arguments = std::make_shared<ChaosArguments>();
  // Declared for the help text only: main removes the plugin's command before the rest is parsed.
  parser.AddOption("PLUGIN", &arguments->shown_only, "the plugin's command with its arguments");
  parser.AddOption("--seed", &arguments->seed, "random seed (default: a new one each time)");
  parser.AddOption(
      "--faults", &arguments->faults,
      "faults to inject, separated by commas, or all (default: all except stall, close and kill)");
  parser.AddOption("--rate", &arguments->rate,
                   "share of the messages that get a fault, like 0.25 or 25% (default 10%)");
  parser.AddOption("--on", &arguments->on,
                   "only messages that this filter selects: the language of midwire show --where "
                   "without at and latency; number counts per direction");
  parser.AddOption("--delay", &arguments->delay, "longest delay (default 200ms)");
  parser.AddOption("--stall", &arguments->stall, "length of a stall (default 10s)");
  parser.AddOption(
      "-o,--output", &arguments->output,
      "the tape to write, as for midwire record: an existing file is never overwritten; by "
      "default in $XDG_STATE_HOME/midwire or ~/.local/state/midwire");
  parser.AddOption("--framing", &arguments->framing, "auto (default), line or content-length");
  parser.AddFlag("--no-stderr", &arguments->no_stderr,
                 "pass the plugin's stderr through without recording it");
  parser.Footer(kChaosFooter);
  return [arguments, parser] {
    arguments->output_given = parser.Given("--output");
    return InjectFaults(*arguments);
  };
}

}  // namespace midwire::tools
