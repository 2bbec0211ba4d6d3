// Waits for descriptors: the one call of ppoll(2). Each loop that waits builds on it; which loops
// there are, and why they are apart, is in doc/design.md ("io").
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
// Only that the other end is gone.
inline PollSlot ForHangUp(int fd) { return {fd, 0, 0}; }
// After Poll: it can be read or written now, has ended or failed.
inline bool IsReady(const PollSlot& slot) { return slot.revents != 0; }

// Waits until one is ready; kNever waits without an end, 0 or less only looks. Returns how many are
// ready. 0: the time is over, or a signal handler has run, whose flag the caller looks at. Less
// than 0: errno says why (out of memory).
int Poll(std::span<PollSlot> slots, int64_t timeout_ns);

}  // namespace midwire::io
