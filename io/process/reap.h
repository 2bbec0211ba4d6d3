// The state and the end of a child, by waitid(2) and wait4(2). Each call is for one child, by its
// pid, never for any child: the code that starts a child reaps it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "wire/outcome/exit_status.h"

namespace midwire::io {

// Whether it has ended. It stays a zombie, to be reaped.
bool HasEnded(pid_t pid);

// Reaps it, if it has ended. *peak_memory: its peak in bytes; 0: unknown, because it is below ours
// (after vfork(2) our memory counts as the child's).
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
