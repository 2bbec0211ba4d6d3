// Calls that all declarations treat alike: those of one method whose requests have the same members
// of declared scopes. Found once per message, so that what is declared about a place is looked up
// by class and not by message. Pure.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
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
  explicit Scopes(const Declarations& declared);
  // Whether any may hold for messages of this method; if not, a body need not be looked at.
  bool Any(std::string_view method) const;
  // `body`: of a request or a notification. With a hundred scopes as fast as with one.
  CallClass Of(std::string_view method, std::string_view body);

 private:
  std::vector<std::string> HoldingIn(std::string_view method, std::string_view body) const;

  std::vector<wire::MethodScope> all_;
  std::vector<std::string> methods_;     // of them, each once
  std::vector<wire::Pointer> pointers_;  // of their members, each once
  // What holds, by the method and the values at these pointers.
  std::unordered_map<std::string, std::vector<std::string>> known_;
};

}  // namespace midwire::replay
