#include "wire/dialect/severity.h"

namespace midwire::wire {

std::string_view Name(Severity severity) {
  static constexpr std::string_view kNames[] = {"off", "note", "should", "must"};
  return kNames[static_cast<int>(severity)];
}

std::optional<Severity> ParseSeverity(std::string_view name) {
  for (const Severity severity :
       {Severity::kOff, Severity::kNote, Severity::kShould, Severity::kMust}) {
    if (name == Name(severity)) return severity;
  }
  return std::nullopt;
}

}  // namespace midwire::wire
