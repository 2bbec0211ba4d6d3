// Starts the plugin as the host would have: same argv, environment, descriptors, signal mask and
// dispositions, in the same process group. Called by record and run_plugin, from the main thread,
// because the plugin is killed when the thread that started it ends. Never waits for the plugin.
#pragma once

#include <string>
#include <vector>

#include "io/host_ends.h"
#include "io/signals.h"

namespace midwire::proxy {

struct Plugin {
  pid_t pid = -1;  // to be reaped by the caller
  int in = -1;     // our ends of the pipes, non-blocking; -1 where the host's end is closed
  int out = -1;
  int err = -1;   // -1 also when it is merged into out
  int error = 0;  // errno: the plugin could not be started, and nothing else is set
};

Plugin SpawnPlugin(const std::vector<std::string>& argv, const io::HostEnds& host,
                   const io::SignalGuard& signals);

}  // namespace midwire::proxy
