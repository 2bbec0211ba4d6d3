#include "tools/replaying/plugin_run.h"

#include "proxy/run_plugin.h"
#include "tools/command.h"
#include "tools/read_trace.h"
#include "tools/replaying/play_machine.h"

namespace midwire::tools {

Result<PluginRun> RunOnce(const PluginRunOptions& run, const replay::PlayerOptions& options,
                          replay::Loaded* loaded, replay::Observer* observer) {
  loaded->bindings.Forget();
  replay::Player player(&loaded->script, &loaded->frames, &loaded->declared, &loaded->bindings,
                        options);
  player.set_observer(observer);
  PlayMachine machine(&player, options.ours);
  const proxy::RunOutcome outcome = proxy::RunPlugin({.argv = PluginCommand(),
                                                      .record = run.record,
                                                      .pass_stderr = run.pass_stderr,
                                                      .version = MIDWIRE_VERSION},
                                                     &machine);
  for (const std::string& failure : outcome.warnings) ReportError({failure, "", ""});
  if (!outcome.cannot_start.empty()) return Error{outcome.cannot_start, "", ""};
  return PluginRun{.report = player.TakeReport(),
                   .status = outcome.status,
                   .interrupted = machine.interrupted(),
                   .incomplete = outcome.incomplete};
}

}  // namespace midwire::tools
