// Which calls a declaration is about, as users write it: a method, and members of the request that
// distinguish the calls of one method. "tools/call[/params/name=rand]". Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json/pointer.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

// "textDocument/*" matches "textDocument/hover".
bool MatchesMethod(std::string_view pattern, std::string_view method);
bool MatchesAny(std::span<const std::string> patterns, std::string_view method);

// What a member of a request must be. A string counts by its meaning, a number, a boolean and null
// as they are spelled; an object or an array is never meant.
struct ScopeMember {
  Pointer pointer;
  std::string value;
  bool begins = false;   // the value only has to begin so
  bool strings = false;  // only a string
  bool Matches(std::string_view json) const;
};

// An answer has the method and the members of its request; a reverse call or a notification its
// own.
struct MethodScope {
  std::string method;                // `*` ends a pattern
  std::vector<ScopeMember> members;  // all must match; empty: each call of the method
  std::string text;                  // as it was written

  bool OfMethod(std::string_view name) const { return MatchesMethod(method, name); }
  // `body`: of the request, loose JSON.
  bool HasMembers(std::string_view body) const;
};

// METHOD or METHOD[/pointer=VALUE], with more brackets for more members. VALUE is spelled bare, up
// to `]`, or as a JSON string; `*` after it: begins so. Without a method: of any.
Result<MethodScope> ParseMethodScope(std::string_view text);
// The same of the text before a place's ":/". Its end, 0 if there is no member in brackets.
Result<size_t> EndOfScope(std::string_view text);
// "[/params/name=rand]", quoted where the bare spelling would mean something else. "": it cannot be
// written.
std::string ScopeMemberText(std::string_view pointer, std::string_view value);

// Each is looked up in every request of the method.
inline constexpr size_t kMaxScopeMembers = 16;

}  // namespace midwire::wire
