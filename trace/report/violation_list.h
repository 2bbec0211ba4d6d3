// The violations of a trace, in the order of a report. Filled by tools/ from the checker, printed
// by view/. Memory is bounded however many there are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace/report/violation.h"

namespace midwire::trace {

// Counts violations as they arrive and sorts them by session, message, severity; those that explain
// others come first in their session. Keeps the first
// kMaxListed of each severity.
class ViolationList {
 public:
  // A longer list is not read, and a trace of a gigabyte may violate a rule with every message.
  static constexpr size_t kMaxListed = 10'000;

  // A violation without a message of its own is listed after message `number`, the latest.
  void Add(const Violation& violation, uint64_t number);
  void Sort();

  struct Listed {
    Violation violation;
    uint64_t place;  // number of the message after which it is listed
  };
  const std::vector<Listed>& listed() const { return listed_; }
  uint64_t count(wire::Severity severity) const { return counts_[static_cast<int>(severity)]; }
  uint64_t count() const;
  uint64_t unchecked() const { return unchecked_; }  // of these, those about what was not checked

 private:
  std::vector<Listed> listed_;
  std::array<uint64_t, 4> counts_ = {};
  uint64_t unchecked_ = 0;
};

}  // namespace midwire::trace
