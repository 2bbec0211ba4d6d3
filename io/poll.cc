#include "io/poll.h"

#include <algorithm>
#include <cerrno>

namespace midwire::io {

int Poll(std::span<PollSlot> slots, int64_t timeout_ns) {
  const int64_t wait = std::max<int64_t>(timeout_ns, 0);
  const timespec timeout = {wait / 1'000'000'000, wait % 1'000'000'000};
  const int count =
      ppoll(slots.data(), slots.size(), timeout_ns == kNever ? nullptr : &timeout, nullptr);
  if (count >= 0) return count;
  // The contents of the slots are undefined now.
  for (PollSlot& slot : slots) slot.revents = 0;
  return errno == EINTR ? 0 : count;
}

}  // namespace midwire::io
