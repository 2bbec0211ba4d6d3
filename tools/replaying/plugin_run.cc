#include "tools/replaying/plugin_run.h"

#include <utility>

#include "proxy/run_plugin.h"
#include "tools/command.h"
#include "tools/console/diagnostics.h"
#include "tools/replaying/before.h"
#include "tools/replaying/play_machine.h"
#include "tools/replaying/stopwatch.h"

namespace midwire::tools {

Result<PluginRun> RunOnce(const PluginRunOptions& run, const replay::PlayerOptions& options,
                          replay::Loaded* loaded, replay::Observer* observer) {
  if (const Status before = RunBefore(run.before); !before) return before.error();
  loaded->bindings.Forget();
  replay::Player player(&loaded->script, &loaded->frames, &loaded->declared, &loaded->bindings,
                        options);
  Stopwatch stopwatch(&loaded->script, observer);
  player.set_observer(run.timed ? &stopwatch : observer);
  PlayMachine machine(&player, options.ours);
  if (run.timed) machine.set_stopwatch(&stopwatch);
  const proxy::RunOutcome outcome = proxy::RunPlugin({.argv = PluginCommand(),
                                                      .record = run.record,
                                                      .pass_stderr = run.pass_stderr,
                                                      .version = MIDWIRE_VERSION},
                                                     &machine);
  for (const std::string& failure : outcome.warnings) ReportError({failure, "", ""});
  if (!outcome.cannot_start.empty()) return Error{outcome.cannot_start, "", ""};
  trace::ReplayReport report = player.TakeReport();
  loaded->host.Report(&report);
  return PluginRun{.report = std::move(report),
                   .status = outcome.status,
                   .interrupted = machine.interrupted(),
                   .seconds = stopwatch.seconds(),
                   .method_seconds = stopwatch.MethodSeconds(),
                   .incomplete = outcome.incomplete};
}

}  // namespace midwire::tools
