// Waits for descriptors: the one call of ppoll(2). Each loop that waits uses it; doc/design.md
// ("Three poll loops") lists the loops and why they are separate.
#pragma once

#include <poll.h>

#include <cstdint>
#include <span>

#include "io/clock.h"

namespace midwire::io {

// One descriptor to wait for; -1 is skipped. Not a type of our own: the driver fills seven of them
// for each message that it passes on.
using PollSlot = pollfd;

inline PollSlot ForRead(int fd) { return {fd, POLLIN, 0}; }
inline PollSlot ForWrite(int fd) { return {fd, POLLOUT, 0}; }
// Waits only until the other end is gone.
inline PollSlot ForHangUp(int fd) { return {fd, 0, 0}; }
// After Poll: it can be read or written now, has ended or failed.
inline bool IsReady(const PollSlot& slot) { return slot.revents != 0; }

// Waits until one is ready; kNever waits indefinitely, 0 or less does not wait. Returns how many
// are ready. 0: the time is over, or a signal handler has run and the caller checks its flag. Below
// 0: errno has the cause (out of memory).
int Poll(std::span<PollSlot> slots, int64_t timeout_ns);

}  // namespace midwire::io
