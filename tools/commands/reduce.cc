// midwire reduce: the smallest session that still makes a plugin do it.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tools/command.h"
#include "tools/read_trace.h"
#include "tools/reduction.h"

namespace midwire::tools {
namespace {

constexpr char kFooter[] =
    R"(--keep says what the smaller session must still do:
  crash          the plugin dies by a signal, a sanitizer or a panic; the same one as at first
  exit=N         it ends by itself with that status
  finding=KEY    that finding, as midwire fuzz writes it; the default for a finding's cassette
  CMD            anything else is a shell command: it is given a cassette of the session ($1) and
                 ends with 0 when the session still does it
What exit=N and CMD keep is written as a session: midwire replay plays it, and tells what is different
from then. Of the others it tells whether the finding is still there.

Exit status: 0 reduced (on stderr it is told when the time was over before), 1 the whole trace does not
do it, or does so only now and then, 2 the call is wrong, or the time was over before the whole trace
was played, 3 not written, or the cassette of a finding is damaged.

Examples:
  midwire reduce session.pcapng --keep crash -- my-plugin
  midwire reduce session.jsonl --keep exit=3 -o small.jsonl -- my-plugin --flag
  midwire reduce session.jsonl --keep 'grep -q "no such file" "$1"' -- my-plugin)";

int Reduce(const ReductionOptions& options) {
  if (PluginCommand().empty() || PluginCommand()[0].empty()) {
    ReportError({"no plugin to run", "", "midwire reduce TRACE [options] -- PLUGIN ARGS..."});
    return kUsage;
  }
  return Reduction(options).Run();
}

}  // namespace

std::function<int()> DeclareReduce(CLI::App* app) {
  auto options = std::make_shared<ReductionOptions>();
  auto shown_only = std::make_shared<std::vector<std::string>>();
  app->add_option("TRACE", options->trace, "tape or cassette; its first session is played")
      ->required();
  // Named for the help alone: main cuts the plugin's command off before it could fill this.
  app->add_option("PLUGIN", *shown_only,
                  "the plugin's command behind --, with all its arguments; of a host's finding the "
                  "host's, as for midwire fuzz --host");
  app->add_option("--keep", options->keep, "crash, exit=N, finding=KEY, or a shell command");
  app->add_option("-o,--output", options->output,
                  "the cassette to write; default: beside the trace, NAME.reduced.jsonl "
                  "(.2.jsonl, .3.jsonl, ... where that is there already)");
  app->add_option("--dialect", options->dialect, "a built-in dialect, a file, or none");
  app->add_option("--max-time", options->max_time, "end after so long with what is reached")
      ->capture_default_str();
  app->add_option("--timeout", options->timeout, "for an answer")->capture_default_str();
  app->footer(kFooter);
  return [options, shown_only] { return Reduce(*options); };
}

}  // namespace midwire::tools
