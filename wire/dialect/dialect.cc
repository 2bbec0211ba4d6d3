#include "wire/dialect/dialect.h"

namespace midwire::wire {

const MethodSpec* Dialect::Find(std::string_view method) const {
  if (const auto found = methods.find(method); found != methods.end()) return &found->second;
  // Patterns, the longest first: by the method's beginnings rather than by all that the dialect
  // has, as a hostile one may have a hundred thousand.
  std::string pattern(method.substr(0, longest_pattern));
  for (size_t size = pattern.size() + 1; size-- > 0;) {
    pattern.resize(size);
    pattern += '*';
    if (const auto found = methods.find(pattern); found != methods.end()) return &found->second;
  }
  return nullptr;
}

Severity Dialect::SeverityOf(std::string_view rule) const {
  const auto found = severities.find(rule);
  return found == severities.end() ? Severity::kMust : found->second;
}

}  // namespace midwire::wire
