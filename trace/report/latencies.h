// Latencies of one method: exact percentiles up to kExactSamples, from then on a histogram with a
// known error, so that memory is bounded however long the session (P6). Filled by tools/, printed
// by view/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace midwire::trace {

class Latencies {
 public:
  // 32 KiB per method; most methods of most sessions stay below it.
  static constexpr size_t kExactSamples = 4096;

  void Add(int64_t ns);  // below 0 (a clock that was set back) counts as 0
  uint64_t count() const { return count_; }
  int64_t max() const { return max_; }  // always exact
  // True: Percentile is one of the samples. False: within 1.6 % of one.
  bool exact() const { return buckets_.empty(); }
  // By nearest rank: the smallest sample that at least `percent` of all do not exceed. 0 of none.
  int64_t Percentile(int percent) const;

 private:
  // Buckets as HdrHistogram has them: each power of two in kSteps equal steps.
  static constexpr int kStepBits = 5;
  static size_t BucketOf(uint64_t ns);
  static uint64_t MiddleOf(size_t bucket);
  void Count(uint64_t ns);

  uint64_t count_ = 0;
  int64_t max_ = 0;
  std::vector<int64_t> samples_;   // until there are too many
  std::vector<uint64_t> buckets_;  // from then on; as long as the largest sample needs
};

}  // namespace midwire::trace
