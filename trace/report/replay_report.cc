#include "trace/report/replay_report.h"

#include <iterator>

namespace midwire::trace {

std::string_view Name(ItemChange::What what) {
  static constexpr std::string_view kNames[] = {"new", "gone", "moved", "differs"};
  return kNames[static_cast<int>(what)];
}

std::string_view Name(DifferenceKind kind) {
  static constexpr std::string_view kNames[] = {
      "differs", "missing", "extra",        "doubled", "unknown", "unexpected", "early",
      "order",   "waits",   "inconsistent", "junk",    "framing", "ended",      "hung"};
  static_assert(std::size(kNames) == static_cast<size_t>(DifferenceKind::kHung) + 1);
  return kNames[static_cast<int>(kind)];
}

}  // namespace midwire::trace
