// Starts a program: the one launcher, for a plugin that is recorded (proxy/), for the peers of a
// fuzz campaign and for commands (child_process.h). What each wants of its child differs by
// options only. It makes no pipes and reaps only a child that could not execute its program.
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
  // What becomes its 0, 1 and 2; -1: it gets that one closed. Other descriptors it inherits, unless
  // they close on exec.
  std::array<int, 3> ends = {-1, -1, -1};
  // SIGKILL, when the thread that calls Launch ends: call it from the main one.
  bool dies_with_us = false;
  bool own_group = false;  // a process group of its own, of its pid
  // Its signal mask and dispositions. kOurs: as exec(2) leaves them. kDefault: nothing blocked, and
  // what midwire ignores itself is not ignored. kHosts: as `host_signals` found them.
  enum class Signals : uint8_t { kOurs, kDefault, kHosts } signals = Signals::kOurs;
  const SignalGuard* host_signals = nullptr;
};

// errno when it cannot be started (ENOEXEC: a script without "#!"); 0 when it runs: *pid is then
// for the caller to reap.
int Launch(const LaunchOptions& options, pid_t* pid);

// Where execvp(3) would find `name`; "" when nowhere, and *error (may be null) says why. A name
// with a slash is returned as it is: exec says what is wrong with it.
std::string FindExecutable(const std::string& name, int* error = nullptr);

}  // namespace midwire::io
