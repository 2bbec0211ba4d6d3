// Counters of a job, in memory shared with the campaign: each job writes its own, and the campaign
// reads all. Used by the engine and campaign.h.
#pragma once

#include <atomic>
#include <cstdint>

namespace midwire::fuzz {

struct Counters {
  std::atomic<uint64_t> runs{0}, messages{0}, starts{0};
  std::atomic<uint64_t> features{0};  // inputs with a new feature, by which the corpus has grown
  std::atomic<uint64_t> states{0};
  std::atomic<uint64_t> findings{0};
  std::atomic<uint64_t> known{0};    // findings that were in the folder already
  std::atomic<uint64_t> skipped{0};  // mutants that were left out for the sake of known causes
  std::atomic<int64_t> confirming_ns{0}, reducing_ns{0};  // time that findings have taken
  std::atomic<bool> fails{false};                         // one of either is more than a note
  std::atomic<int64_t> new_ns{0};  // when the last new feature was found; monotonic
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace midwire::fuzz
