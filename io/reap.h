// What has become of a child: the calls of waitid(2) and wait4(2). Each is about one child of ours,
// by its pid; the code that starts a child reaps it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "wire/outcome/exit_status.h"

namespace midwire::io {

// Whether it has ended. It stays a zombie, to be reaped.
bool HasEnded(pid_t pid);

// Reaps it, if it has ended. *peak_memory: bytes that it had at most; 0: not more than we have
// ourselves (after vfork(2) ours count as the child's).
std::optional<ExitStatus> ReapIfEnded(pid_t pid, uint64_t* peak_memory = nullptr);
// Waits for its end, and reaps it.
ExitStatus WaitForEnd(pid_t pid);

// What happened to it since the last call, oldest first. An end is reaped.
struct ChildChange {
  enum class Type : uint8_t { kNone, kStopped, kContinued, kEnded } type = Type::kNone;
  int stop_signal = 0;
  ExitStatus status;
};
ChildChange NextChange(pid_t pid);

// Continues it, if it has been stopped.
void WakeIfStopped(pid_t pid);

}  // namespace midwire::io
