// midwire reduce: shrinks a session while a plugin still shows the same behaviour.
#include <memory>
#include <string>
#include <vector>

#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/fuzzing/reduction.h"
#include "tools/replaying/before.h"

namespace midwire::tools {
namespace {

constexpr char kReduceFooter[] =
    R"(--keep names the behaviour that the smaller session must still show:
  crash          the plugin ends by the same signal, sanitizer report or panic as at first
  exit=N         it exits with this status
  finding=KEY    this finding, as midwire fuzz names it, such as 'double open', or its oracle, such as
                 double; finding= lists the keys that the trace shows; default for a finding's
                 cassette: its own
  CMD            any other value is a shell command. It gets a cassette of the session as $1 and exits
                 with 0 if the session still shows the behaviour
The result of exit=N and CMD is a plain session: midwire replay compares a plugin with it. The result of
the others is a finding: midwire replay reports whether it still occurs.

Exit status: 0 reduced (a note on stderr if the time ran out first), 1 the whole trace does not show the
behaviour, or only sometimes, 2 usage error, or the time ran out before the whole trace and a smaller
session were played, 3 not written, or the cassette of a finding is damaged.

Examples:
  midwire reduce session.pcapng --keep crash -- my-plugin
  midwire reduce session.jsonl --keep exit=3 -o small.jsonl -- my-plugin --flag
  midwire reduce session.jsonl --keep 'grep -q "no such file" "$1"' -- my-plugin)";

int Reduce(const ReductionOptions& options) {
  if (PluginCommand().empty() || PluginCommand()[0].empty())
    return Fail({"no plugin to run", "", "midwire reduce TRACE [options] -- PLUGIN ARGS..."});
  if (const Status one = TakesOneTrace("reduce"); !one) return Fail(one.error());
  return Reduction(options).Run();
}

}  // namespace

std::function<int()> DeclareReduce(ArgumentParser parser) {
  auto options = std::make_shared<ReductionOptions>();
  auto before = std::make_shared<std::string>();
  auto shown_only = std::make_shared<std::vector<std::string>>();
  parser.AddOption("TRACE", &options->trace, "tape or cassette; its first session is played")
      .Required();
  // Declared for the help text only: main removes the plugin's command before the rest is parsed.
  parser.AddOption(
      "PLUGIN", shown_only.get(),
      "after --, the plugin's command with its arguments; for a finding of midwire fuzz "
      "--host, the host's");
  parser.AddOption("--keep", &options->keep, "crash, exit=N, finding=KEY, or a shell command")
      .TypeName("BEHAVIOUR");
  parser.AddOption(
      "-o,--output", &options->output,
      "the cassette to write; default: NAME.reduced.jsonl beside the trace (or the next "
      "free name .2.jsonl, .3.jsonl, ...)");
  parser.AddOption("--dialect", &options->dialect, "a built-in dialect, a file, or none");
  parser
      .AddOption("--max-time", &options->max_time,
                 "stop after this time and keep the smallest session so far")
      .ShowDefault();
  parser.AddOption("--before", before.get(),
                   "run this shell command before each start of the plugin");
  parser.AddOption("--timeout", &options->timeout, "time limit for an answer").ShowDefault();
  parser.Footer(kReduceFooter);
  return [options, before, shown_only] {
    options->before = BeforeStarts(*before);
    return Reduce(*options);
  };
}

}  // namespace midwire::tools
