// What a process and its descendants are doing, read from /proc: whether all of them sleep, how
// long they have run, and how long they have been ready to run without a processor. For a caller
// that must tell a slow peer from a silent one. Where /proc says nothing, a process counts as
// asleep and never starved.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace midwire::io {

struct ProcessState {
  bool asleep = true;      // no thread of any of them runs or could run, or waits for a disk
  int64_t starved_ns = 0;  // of all their threads together, since each began
  int64_t ran_ns = 0;      // the same
};

// At most kMaxProcesses are looked at, and kMaxThreads of each; more count as running. Costs a
// dozen system calls per thread.
inline constexpr int kMaxProcesses = 64, kMaxThreads = 256;
ProcessState StateOf(pid_t root);

}  // namespace midwire::io
