#include "io/poll.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <vector>

namespace midwire::io {
namespace {

int Wait(std::span<PollSlot> slots, int64_t timeout_ns) {
  const int64_t wait = std::max<int64_t>(timeout_ns, 0);
  const timespec timeout = {wait / 1'000'000'000, wait % 1'000'000'000};
  return ppoll(slots.data(), slots.size(), timeout_ns == kNever ? nullptr : &timeout, nullptr);
}

// The slots that have a descriptor, of which there are never more than RLIMIT_NOFILE allows.
int WaitForUsed(std::span<PollSlot> slots, int64_t timeout_ns) {
  std::vector<PollSlot> used;
  std::ranges::copy_if(slots, std::back_inserter(used),
                       [](const PollSlot& slot) { return slot.fd >= 0; });
  const int count = Wait(used, timeout_ns);
  auto next = used.begin();
  for (PollSlot& slot : slots) slot.revents = slot.fd >= 0 ? (next++)->revents : short{0};
  return count;
}

}  // namespace

int Poll(std::span<PollSlot> slots, int64_t timeout_ns) {
  int count = Wait(slots, timeout_ns);
  // ppoll(2) counts slots without a descriptor, too. A caller that takes this for "nothing is
  // ready" would spin.
  if (count < 0 && errno == EINVAL) count = WaitForUsed(slots, timeout_ns);
  if (count >= 0) return count;
  // The contents of the slots are undefined now.
  for (PollSlot& slot : slots) slot.revents = 0;
  return errno == EINTR ? 0 : count;
}

}  // namespace midwire::io
