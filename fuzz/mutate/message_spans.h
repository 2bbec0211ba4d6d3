// Finds the members of a JSON-RPC message in its body, by role; those of the Debug Adapter Protocol
// (DAP) have the same roles. Called by the mutators of rpc and session. Takes any bytes, reads
// top-level members only and builds nothing.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/input.h"
#include "fuzz/mutate/tree_spans.h"
#include "fuzz/random.h"

namespace midwire::fuzz {

// kType: DAP's "type". In DAP kId is seq, of a response request_seq; kMethod command or event;
// kParams arguments, of an event its body; kResult body.
enum class Role : unsigned char { kVersion, kId, kMethod, kParams, kResult, kError, kType };
inline constexpr int kRoles = 7;

struct MemberSpan {
  size_t at = 0;  // of its name
  size_t value_at = 0, value_size = 0;

  bool present() const { return value_size != 0; }
  size_t end() const { return value_at + value_size; }
};

struct MessageSpans {
  size_t at = 0, size = 0;  // of the object: the body, or an element of a batch
  std::array<MemberSpan, kRoles> members;
  bool dap = false, empty = true, answer = false;

  const MemberSpan& of(Role role) const { return members[static_cast<int>(role)]; }
  bool has(Role role) const { return of(role).present(); }
  std::string_view value(std::string_view body, Role role) const {
    return body.substr(of(role).value_at, of(role).value_size);
  }
  bool request() const { return has(Role::kMethod) && has(Role::kId) && !answer; }
  bool notification() const { return has(Role::kMethod) && !has(Role::kId); }
};

// Nothing for a text that is not an object; for a batch, one of its first elements at random.
std::optional<MessageSpans> FindMessage(std::string_view body, Random* random);

// Picks a value for the mutators of text and tree, mostly one below params or result. The members
// that make a message are left to the mutators of rpc: with a wrong method or version most peers
// stop reading.
std::optional<Node> PickInMessage(std::string_view body, unsigned types, unsigned places,
                                  Random* random);

// The name of a member of that role, with quotes.
std::string_view NameOf(Role role, bool dap);
// An id that no recorded session uses, of the same type as `token`: a number or a string.
std::string FreshId(std::string_view token, Random* random);
// Gives the request a fresh id, if the part is a request.
void RenewId(Part* part, Random* random);

}  // namespace midwire::fuzz
