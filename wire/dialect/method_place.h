// Places in messages, as users write them: ignores and bindings of a replay, and all places in
// dialects. Pure.
#pragma once

#include <string>
#include <string_view>

#include "wire/dialect/method_scope.h"
#include "wire/json/pointer.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

// "METHOD:/params/token", or "/params/token" in messages of any method. An answer has the method of
// its request; `*` ends a method ("textDocument/*:/params/version").
struct MethodPlace {
  MethodScope scope;  // its method is "" in a place of any method
  Pointer pointer;
  std::string text;  // as it was written

  bool OfMethod(std::string_view name) const {
    return scope.method.empty() || scope.OfMethod(name);
  }
};
// Of each call of a method. A scope is an error, because code that does not know the request of an
// answer cannot find out whether the place is meant.
Result<MethodPlace> ParseMethodPlace(std::string_view text);
// The same, or of some calls: "tools/call[/params/name=rand]:/result/content".
Result<MethodPlace> ParseScopedPlace(std::string_view text);

}  // namespace midwire::wire
