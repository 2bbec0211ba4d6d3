#include "wire/dialect/method_place.h"

namespace midwire::wire {

Result<MethodPlace> ParseScopedPlace(std::string_view text) {
  MethodPlace place;
  place.text = text;
  const Result<size_t> end = EndOfScope(text);
  if (!end) return end.error();
  const size_t colon = text.find(":/", *end);  // which hardly any pointer holds
  const bool follows = *end == 0 || colon == *end;
  if (!follows || (colon == text.npos && !text.starts_with('/'))) {
    return Error{"not a place in messages", "\"" + std::string(text) + "\"",
                 "write /params/name or METHOD:/params/name"};
  }
  if (*end > 0) {
    Result<MethodScope> scope = ParseMethodScope(text.substr(0, *end));
    if (!scope) return scope.error();
    place.scope = std::move(*scope);
  } else if (colon != text.npos) {
    place.scope.method = place.scope.text = text.substr(0, colon);
  }
  Result<Pointer> pointer = ParsePointer(colon == text.npos ? text : text.substr(colon + 1));
  if (!pointer) return pointer.error();
  place.pointer = std::move(*pointer);
  return place;
}

Result<MethodPlace> ParseMethodPlace(std::string_view text) {
  Result<MethodPlace> place = ParseScopedPlace(text);
  if (!place || place->scope.members.empty()) return place;
  return Error{"this place cannot be limited to some calls", "\"" + std::string(text) + "\"",
               "leave out what is in brackets"};
}

}  // namespace midwire::wire
