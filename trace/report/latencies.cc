#include "trace/report/latencies.h"

#include <algorithm>
#include <bit>

namespace midwire::trace {

size_t Latencies::BucketOf(uint64_t ns) {
  const int shift = std::max(0, static_cast<int>(std::bit_width(ns)) - kStepBits - 1);
  return (static_cast<size_t>(shift) << kStepBits) + (ns >> shift);
}

// The inverse: from 2^(kStepBits+1) on, a bucket's upper bits are its shift plus one.
uint64_t Latencies::MiddleOf(size_t bucket) {
  constexpr size_t kLinear = size_t{2} << kStepBits;
  if (bucket < kLinear) return bucket;
  const int shift = static_cast<int>(bucket >> kStepBits) - 1;
  const uint64_t first = (bucket - (static_cast<size_t>(shift) << kStepBits)) << shift;
  return first + ((uint64_t{1} << shift) - 1) / 2;
}

void Latencies::Count(uint64_t ns) {
  const size_t bucket = BucketOf(ns);
  if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
  ++buckets_[bucket];
}

void Latencies::Add(int64_t ns) {
  ns = std::max<int64_t>(ns, 0);
  max_ = std::max(max_, ns);
  ++count_;
  if (!exact()) return Count(ns);
  if (samples_.size() < kExactSamples) {
    samples_.push_back(ns);
    return;
  }
  for (const int64_t sample : samples_) Count(sample);
  Count(ns);
  samples_ = {};
}

int64_t Latencies::Percentile(int percent) const {
  if (count_ == 0) return 0;
  // In integers: a rank must not depend on rounding.
  uint64_t rank = (count_ * percent + 99) / 100;
  rank = std::clamp<uint64_t>(rank, 1, count_);
  if (exact()) {
    std::vector<int64_t> sorted = samples_;
    std::nth_element(sorted.begin(), sorted.begin() + (rank - 1), sorted.end());
    return sorted[rank - 1];
  }
  for (size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    if (rank <= buckets_[bucket]) {
      return std::min(static_cast<int64_t>(MiddleOf(bucket)), max_);
    }
    rank -= buckets_[bucket];
  }
  return max_;
}

}  // namespace midwire::trace
