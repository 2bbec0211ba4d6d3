#include "replay/script/call_class.h"

#include <algorithm>

#include "replay/script/declared.h"
#include "wire/json/valid.h"

namespace midwire::replay {

bool CallClass::IsOf(const wire::MethodScope& scope) const {
  if (scope.members.empty()) return scope.OfMethod(method);
  return std::binary_search(scopes.begin(), scopes.end(), scope.text);
}

Scopes::Scopes(const Declarations& declared) {
  const auto add = [this](const wire::MethodScope& scope) {
    if (!scope.members.empty()) all_.push_back(scope);
  };
  for (const auto* places : {&declared.ignores, &declared.unordered, &declared.chunked}) {
    for (const Place& place : *places) add(place.scope);
  }
  for (const ShapedPlace& shaped : declared.shapes) add(shaped.at.scope);
  for (const Bind& bind : declared.binds) {
    add(bind.from.scope);
    add(bind.to.scope);
  }
  for (const auto* methods : {&declared.volatile_methods, &declared.floating_methods}) {
    for (const wire::MethodScope& scope : *methods) add(scope);
  }
  const auto by_text = [](const auto& a, const auto& b) { return a.text < b.text; };
  const auto same = [](const auto& a, const auto& b) { return a.text == b.text; };
  std::sort(all_.begin(), all_.end(), by_text);
  all_.erase(std::unique(all_.begin(), all_.end(), same), all_.end());
}

CallClass Scopes::Of(std::string_view method, std::string_view body) const {
  CallClass of = {std::string(method), {}};
  if (all_.empty() || !wire::IsLooseJson(body)) return of;
  for (const wire::MethodScope& scope : all_) {  // in the order of their texts
    if (scope.OfMethod(method) && scope.HasMembers(body)) of.scopes.push_back(scope.text);
  }
  return of;
}

}  // namespace midwire::replay
