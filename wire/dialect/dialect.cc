#include "wire/dialect/dialect.h"

namespace midwire::wire {

const MethodSpec* Dialect::Find(std::string_view method) const {
  if (const auto found = methods.find(method); found != methods.end()) return &found->second;
  // Tries each prefix of the method as a pattern, the longest first, rather than each pattern of
  // the dialect: a hostile dialect may have a hundred thousand.
  std::string pattern(method.substr(0, longest_pattern));
  for (size_t size = pattern.size() + 1; size-- > 0;) {
    pattern.resize(size);
    pattern += '*';
    if (const auto found = methods.find(pattern); found != methods.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace midwire::wire
