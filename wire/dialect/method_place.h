// Places in messages, as users write them: ignores and bindings of a replay, and all places in
// dialects. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "wire/json/pointer.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

// "textDocument/*" matches "textDocument/hover".
bool MatchesMethod(std::string_view pattern, std::string_view method);
bool MatchesAny(std::span<const std::string> patterns, std::string_view method);

// "METHOD:/params/token", or "/params/token" in messages of any method. An answer has the method of
// its request; `*` ends a method ("textDocument/*:/params/version").
struct MethodPlace {
  std::string method;  // "": any
  Pointer pointer;
  std::string text;  // as it was written

  bool OfMethod(std::string_view name) const {
    return method.empty() || MatchesMethod(method, name);
  }
};
Result<MethodPlace> ParseMethodPlace(std::string_view text);

}  // namespace midwire::wire
