// What the jobs of a campaign count, in memory that they share with it: each writes its own, the
// campaign reads all. Plain numbers, each written by one process.
#pragma once

#include <atomic>
#include <cstdint>

namespace midwire::fuzz {

struct Counters {
  std::atomic<uint64_t> runs{0}, messages{0}, starts{0};
  std::atomic<uint64_t> features{
      0};  // inputs that showed something new: what the corpus has grown by
  std::atomic<uint64_t> states{0};
  std::atomic<uint64_t> findings{0};
  std::atomic<uint64_t> known{0};  // findings that the folder had already
  std::atomic<int64_t> new_ns{0};  // when something was new last; monotonic
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace midwire::fuzz
