// Starts the plugin as the host would have: same argv, environment, descriptors, mask and
// dispositions, in the same process group. The only file that includes Boost.Process is spawn.cc.
// The plugin dies with us (PR_SET_PDEATHSIG, which follows the calling thread: call from the main
// one).
#pragma once

#include <string>
#include <vector>

#include "proxy/host.h"
#include "proxy/signals.h"

namespace midwire::proxy {

struct Plugin {
  pid_t pid = -1;  // to be reaped by the caller
  int in = -1;     // our ends of the pipes, non-blocking; -1 where the host's end is closed
  int out = -1;
  int err = -1;   // -1 also when it is merged into out
  int error = 0;  // errno when the plugin could not be started; nothing else is set then
};

Plugin SpawnPlugin(const std::vector<std::string>& argv, const HostEnds& host,
                   const SignalGuard& signals);

// Where execvp(3) would find `name`; empty and *error set when nowhere.
std::string FindExecutable(const std::string& name, int* error);

}  // namespace midwire::proxy
