// A share of a run's time, for work that the run can do without. Asked by the engine, which has the
// clock. Pure.
#pragma once

#include <algorithm>
#include <cstdint>

namespace midwire::fuzz {

class TimeShare {
 public:
  // one_in: the share is this part of the time so far; `first_ns`: but at least so much.
  explicit TimeShare(int64_t one_in, int64_t first_ns = 0) : one_in_(one_in), first_ns_(first_ns) {}

  void Spend(int64_t ns) { spent_ns_ += ns; }
  // What is left of it; 0: nothing.
  int64_t Left(int64_t elapsed_ns) const {
    return std::max<int64_t>(0, std::max(first_ns_, elapsed_ns / one_in_) - spent_ns_);
  }

 private:
  const int64_t one_in_, first_ns_;
  int64_t spent_ns_ = 0;
};

}  // namespace midwire::fuzz
