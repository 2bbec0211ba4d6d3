// What people declare about a trace before it is replayed: what does not count, what floats, which
// values live on. From a cassette's header, the command line, later a dialect. Plain data; read by
// compile, bindings and matcher.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/method_place.h"
#include "wire/outcome/result.h"

namespace midwire::replay {

using Place = wire::MethodPlace;
using wire::MatchesMethod;
using wire::ParseMethodPlace;

// A value that a peer said at `from` and the other repeats at `to`.
struct Bind {
  Place from, to;
};
Result<Bind> ParseBind(std::string_view text);  // "FROM=TO"

// Which end's request an embedded id names.
enum class IdOf : unsigned char { kSender, kReceiver };
struct EmbeddedId {
  Place at;
  IdOf whose = IdOf::kSender;
};

struct Declarations {
  std::vector<Place> ignores;
  std::vector<std::string> volatile_methods;
  std::vector<Bind> binds;
  std::vector<EmbeddedId> ids;
  bool infer_binds = true;  // also look for values that only the peer can have made

  // Whether messages of that method float.
  bool Volatile(std::string_view method) const;

  // Cancels and parents as LSP, MCP and DAP spell them, and progress tokens.
  static Declarations WithDefaults();
};

// The members "ignore", "bind", "volatile" (lists of strings) and "ids" ({"sender":[...],
// "receiver":[...]}, lists of places) of a cassette's header; others are skipped. Adds to *to.
Status ReadHeader(std::string_view header, Declarations* to);

// More of one kind is refused: each is held against every value of every message.
inline constexpr size_t kMaxDeclared = 1000;

}  // namespace midwire::replay
