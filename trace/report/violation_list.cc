#include "trace/report/violation_list.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace midwire::trace {

void ViolationList::Add(const Violation& violation, uint64_t number) {
  if (violation.unchecked) ++unchecked_;
  if (counts_[static_cast<int>(violation.severity)]++ >= kMaxListed) return;
  listed_.push_back({violation, violation.frame != 0 ? violation.frame : number});
}

void ViolationList::Sort() {
  const auto key = [](const Listed& listed) {
    const Violation& violation = listed.violation;
    return std::tuple(violation.session, !violation.leads,
                      violation.leads ? uint64_t{0} : listed.place, violation.frame == 0,
                      -static_cast<int>(violation.severity));
  };
  std::stable_sort(listed_.begin(), listed_.end(),
                   [&](const Listed& a, const Listed& b) { return key(a) < key(b); });
}

uint64_t ViolationList::count() const {
  return std::accumulate(counts_.begin(), counts_.end(), uint64_t{0});
}

}  // namespace midwire::trace
