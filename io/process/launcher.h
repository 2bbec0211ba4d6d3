// Starts a program: the one launcher, for a plugin that is recorded (proxy/), for the peers of a
// fuzz campaign and for commands (child_process.h). Callers differ only in their options. It makes
// no pipes and reaps only a child that could not execute its program.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "io/signals.h"

namespace midwire::io {

struct LaunchOptions {
  std::string path;                          // of the program, see FindExecutable
  std::vector<std::string> argv;             // as the program gets it, argv[0] included
  const char* const* environment = nullptr;  // ends with nullptr; nullptr: ours
  // The descriptors that become its 0, 1 and 2; -1: closed. It inherits other descriptors unless
  // they close on exec.
  std::array<int, 3> ends = {-1, -1, -1};
  // SIGKILL, when the thread that calls Launch ends: call it from the main one.
  bool dies_with_us = false;
  bool own_group = false;  // a process group of its own, of its pid
  // Its signal mask and dispositions. kOurs: as exec(2) leaves them. kDefault: nothing blocked, and
  // signals that midwire ignores have their default action. kHosts: as `host_signals` found them.
  enum class Signals : uint8_t { kOurs, kDefault, kHosts } signals = Signals::kOurs;
  const SignalGuard* host_signals = nullptr;
};

// errno when it cannot be started (ENOEXEC: a script without "#!"); 0: it runs, and the caller
// reaps *pid.
int Launch(const LaunchOptions& options, pid_t* pid);

// Where execvp(3) would find `name`; "" when nowhere, and *error (may be null) says why. A name
// with a slash is returned unchanged: exec reports what is wrong with it.
std::string FindExecutable(const std::string& name, int* error = nullptr);

}  // namespace midwire::io
