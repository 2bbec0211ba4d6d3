// One run of a script against the plugin of the command line. Called by replay, --suggest-ignores
// and
// --learn.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "replay/load.h"
#include "replay/play/player.h"
#include "trace/report/replay_report.h"
#include "wire/outcome/exit_status.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

struct PluginRun {
  trace::ReplayReport report;
  ExitStatus status;
  int interrupted = 0;  // the signal that ended midwire's part, or 0
  double seconds = 0;
  std::map<std::string, double, std::less<>> method_seconds;  // with PluginRunOptions::timed
  bool incomplete = false;  // its tape could not be written to the end
};

struct PluginRunOptions {
  std::string before;  // a command that runs first (before.h); "": none
  std::string record;  // the tape of this run; "": none
  bool pass_stderr = true;
  bool timed = false;  // measure how long each method takes
};

// An error: the plugin cannot be started, or the command before it failed.
Result<PluginRun> RunOnce(const PluginRunOptions& run, const replay::PlayerOptions& options,
                          replay::Loaded* loaded, replay::Observer* observer);

}  // namespace midwire::tools
