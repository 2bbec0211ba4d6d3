#include "replay/script/unused.h"

#include <utility>

#include "replay/script/declaration_kinds.h"
#include "wire/json/path.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

// What is in none of so many bytes of messages is not looked for in more: it is a note, and not
// worth another second of a long run.
constexpr size_t kMaxLookedAt = 64u << 20;

}  // namespace

void Unused::Add(std::string_view option, const wire::MethodPlace& place) {
  sought_.push_back({std::string(option), place});
}

void Unused::Add(std::string_view option, const wire::MethodScope& scope) {
  wire::MethodPlace place;
  place.scope = scope;
  place.text = scope.text;
  sought_.push_back({std::string(option), std::move(place), /*any_value=*/true});
}

void Unused::AddAll(const Declarations& declared) {
  for (const DeclarationKind& kind : DeclarationKinds()) {
    if (!kind.hides) continue;
    const std::string option = "--" + std::string(kind.path);
    kind.visit(declared, [&](const wire::MethodScope& scope, const wire::MethodPlace* place) {
      place != nullptr ? Add(option, *place) : Add(option, scope);
    });
  }
}

void Unused::OnMessage(const CallClass& of, std::string_view body) {
  if (sought_.empty()) return;
  looked_at_ += body.size();
  if (looked_at_ > kMaxLookedAt) return sought_.clear();
  std::erase_if(sought_, [&](const Sought& sought) {
    return sought.any_value ? of.IsOf(sought.place.scope) : false;
  });
  if (sought_.empty() || !wire::IsLooseJson(body)) return;
  std::erase_if(sought_, [&](const Sought& sought) {
    return of.IsOf(sought.place) && wire::ValueAt(body, sought.place.pointer).has_value();
  });
}

std::vector<std::string> Unused::Lines() const {
  std::vector<std::string> lines;
  for (const Sought& sought : sought_) {
    lines.push_back(
        sought.option + ": no message " + (sought.any_value ? "is of " : "has ") + '"' +
        sought.place.text + '"' +
        (sought.any_value ? " (check the method)" : " (check the method and the pointer)"));
  }
  return lines;
}

}  // namespace midwire::replay
