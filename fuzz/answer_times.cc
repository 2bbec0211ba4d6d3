#include "fuzz/answer_times.h"

#include <algorithm>
#include <functional>

namespace midwire::fuzz {

void AnswerTimes::Add(int64_t ns) { times_[count_++ % kKept] = ns; }

int64_t AnswerTimes::Timeout() const {
  std::array<int64_t, kKept> sorted = times_;
  const auto end = sorted.begin() + static_cast<ptrdiff_t>(std::min(count_, kKept));
  // Of fewer answers, as few stalls are left out.
  const auto slow = static_cast<ptrdiff_t>(kStalls * std::min(count_, kKept) / kKept);
  if (end == sorted.begin()) return least_ns_;
  std::nth_element(sorted.begin(), sorted.begin() + slow, end, std::greater<>());
  // Not above most_ns_ in the product either.
  return std::clamp(std::min(sorted[static_cast<size_t>(slow)], most_ns_) * kFactor, least_ns_,
                    most_ns_);
}

int64_t AnswerTimes::Usual() const {
  std::array<int64_t, kKept> sorted = times_;
  const size_t count = std::min(count_, kKept);
  const auto middle = sorted.begin() + static_cast<ptrdiff_t>(count / 2);
  std::nth_element(sorted.begin(), middle, sorted.begin() + static_cast<ptrdiff_t>(count));
  return *middle;
}

}  // namespace midwire::fuzz
