// Calls that all declarations treat alike: those of one method whose requests have the same members
// of declared scopes. Found once per message, so that what is declared about a place is looked up
// by class and not by message. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/method_place.h"

namespace midwire::replay {

struct Declarations;

// Of an answer, that of its request; of a reverse call or a notification its own.
struct CallClass {
  std::string method;
  std::vector<std::string> scopes;  // their texts, sorted: those with members that hold

  bool IsOf(const wire::MethodScope& scope) const;
  bool IsOf(const wire::MethodPlace& place) const {
    return place.scope.members.empty() ? place.OfMethod(method) : IsOf(place.scope);
  }
};

// The scopes with members among declarations. Keeps copies: a header may declare more.
class Scopes {
 public:
  Scopes() = default;
  explicit Scopes(const Declarations& declared);
  // `body`: of a request or a notification.
  CallClass Of(std::string_view method, std::string_view body) const;

 private:
  std::vector<wire::MethodScope> all_;
};

}  // namespace midwire::replay
