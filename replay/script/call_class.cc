#include "replay/script/call_class.h"

#include <algorithm>
#include <set>
#include <utility>

#include "replay/script/declaration_kinds.h"
#include "replay/script/declared.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

// Values may be others in each message, and long.
constexpr size_t kMaxKnown = 4096, kMaxKey = 512;

bool IsScalar(std::string_view json) {
  const wire::JsonType type = wire::TypeOf(json);
  return type != wire::JsonType::kObject && type != wire::JsonType::kArray;
}

}  // namespace

bool CallClass::IsOf(const wire::MethodScope& scope) const {
  if (scope.members.empty()) return scope.OfMethod(method);
  return std::binary_search(scopes.begin(), scopes.end(), scope.text);
}

Scopes::Scopes(const Declarations& declared) {
  for (const DeclarationKind& kind : DeclarationKinds()) {
    kind.visit(declared, [this](const wire::MethodScope& scope, const wire::MethodPlace*) {
      if (!scope.members.empty()) all_.push_back(scope);
    });
  }
  const auto by_text = [](const auto& a, const auto& b) { return a.text < b.text; };
  const auto same = [](const auto& a, const auto& b) { return a.text == b.text; };
  std::sort(all_.begin(), all_.end(), by_text);
  all_.erase(std::unique(all_.begin(), all_.end(), same), all_.end());
  std::set<std::string> methods, pointers;
  for (const wire::MethodScope& scope : all_) {
    if (methods.insert(scope.method).second) methods_.push_back(scope.method);
    for (const wire::ScopeMember& member : scope.members) {
      const bool fresh = pointers.insert(wire::PointerText(member.pointer)).second;
      if (fresh) pointers_.push_back(member.pointer);
    }
  }
}

std::vector<std::string> Scopes::HoldingIn(std::string_view method, std::string_view body) const {
  std::vector<std::string> holding;
  for (const wire::MethodScope& scope : all_) {  // in the order of their texts
    if (scope.OfMethod(method) && scope.HasMembers(body)) holding.push_back(scope.text);
  }
  return holding;
}

bool Scopes::Any(std::string_view method) const {
  return !methods_.empty() && wire::MatchesAny(methods_, method);
}

CallClass Scopes::Of(std::string_view method, std::string_view body) {
  CallClass of = {std::string(method), {}};
  if (!Any(method) || !wire::IsLooseJson(body)) return of;
  std::string key(method);
  for (const wire::Pointer& pointer : pointers_) {
    key += '\n';  // which no value holds
    const auto value = wire::ValueAt(body, pointer);
    if (value && IsScalar(*value)) key += *value;
    if (key.size() > kMaxKey) {
      of.scopes = HoldingIn(method, body);
      return of;
    }
  }
  if (const auto known = known_.find(key); known != known_.end()) {
    of.scopes = known->second;
    return of;
  }
  if (known_.size() >= kMaxKnown) known_.clear();
  of.scopes = known_.emplace(std::move(key), HoldingIn(method, body)).first->second;
  return of;
}

}  // namespace midwire::replay
