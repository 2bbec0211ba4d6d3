#include "wire/dialect/method_place.h"

#include <algorithm>

namespace midwire::wire {

bool MatchesMethod(std::string_view pattern, std::string_view method) {
  if (!pattern.ends_with('*')) return pattern == method;
  return method.starts_with(pattern.substr(0, pattern.size() - 1));
}

bool MatchesAny(std::span<const std::string> patterns, std::string_view method) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return MatchesMethod(pattern, method); });
}

Result<MethodPlace> ParseMethodPlace(std::string_view text) {
  MethodPlace place;
  place.text = text;
  const size_t colon = text.find(":/");  // which hardly any pointer holds
  if (colon == text.npos && !text.starts_with('/')) {
    return Error{"not a place in messages", "'" + std::string(text) + "'",
                 "write /params/name or METHOD:/params/name"};
  }
  if (colon != text.npos) place.method = text.substr(0, colon);
  Result<Pointer> pointer = ParsePointer(colon == text.npos ? text : text.substr(colon + 1));
  if (!pointer) return pointer.error();
  place.pointer = std::move(*pointer);
  return place;
}

}  // namespace midwire::wire
