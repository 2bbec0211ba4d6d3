// How long a peer takes for its answers now: a quantile of its last answers gives the time to wait
// for the next one. A machine that becomes busy, or a peer that becomes slow, gets more; one that
// was only slow to start gets less. Used by fuzz/live, which has the clock. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace midwire::fuzz {

class AnswerTimes {
 public:
  // Of so many answers, the time of the slowest but three counts: a single stall is none of the
  // peer's, and three are not yet one answer in 40.
  static constexpr size_t kKept = 128, kStalls = 3;
  // From so many answers on, they are worth more than the calibration.
  static constexpr size_t kEnough = 32;
  // The time to wait is so many times as long, as that for the probe is at the start.
  static constexpr int64_t kFactor = 20;

  // bounds: of Timeout().
  AnswerTimes(int64_t least_ns, int64_t most_ns) : least_ns_(least_ns), most_ns_(most_ns) {}

  // An answer came after so long. What does not come is not counted: a peer that hangs would
  // otherwise get ever more time.
  void Add(int64_t ns);
  bool enough() const { return count_ >= kEnough; }
  // Only if there are enough.
  int64_t Timeout() const;
  // Half of the last answers took at most so long. Only if there are enough.
  int64_t Usual() const;

 private:
  int64_t least_ns_, most_ns_;
  std::array<int64_t, kKept> times_ = {};
  size_t count_ = 0;  // of all that were added
};

}  // namespace midwire::fuzz
