#include "wire/dialect.h"

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

const MethodSpec* Dialect::Find(std::string_view method) const {
  if (const auto found = methods.find(method); found != methods.end()) return &found->second;
  const MethodSpec* longest = nullptr;
  for (const auto& [name, spec] : methods) {
    if (!name.ends_with('*') || !MatchesMethod(name, method)) continue;
    if (longest == nullptr || name.size() > longest->name.size()) longest = &spec;
  }
  return longest;
}

Severity Dialect::SeverityOf(std::string_view rule) const {
  const auto found = severities.find(rule);
  return found == severities.end() ? Severity::kMust : found->second;
}

}  // namespace midwire::wire
