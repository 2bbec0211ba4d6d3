#include "wire/dialect/severity.h"

namespace midwire::wire {

std::string_view Name(Severity severity) {
  switch (severity) {
    case Severity::kOff:
      return "off";
    case Severity::kNote:
      return "note";
    case Severity::kShould:
      return "should";
    case Severity::kMust:
      return "must";
  }
  return "";
}

std::optional<Severity> ParseSeverity(std::string_view name) {
  for (const Severity severity :
       {Severity::kOff, Severity::kNote, Severity::kShould, Severity::kMust}) {
    if (name == Name(severity)) return severity;
  }
  return std::nullopt;
}

}  // namespace midwire::wire
