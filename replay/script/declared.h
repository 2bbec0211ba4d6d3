// Declarations about a trace before it is replayed: ignored places, shapes of values that change,
// unordered arrays, volatile and floating methods, texts in chunks, bindings, embedded ids. They
// come from a cassette's header, the command line and a dialect, which all read the table of kinds
// (declaration_kinds.h). Plain data, read by compile, bindings and matcher.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/paths/path_map.h"
#include "replay/script/call_class.h"
#include "replay/script/place_rules.h"
#include "replay/shape/shape.h"
#include "wire/dialect/method_place.h"
#include "wire/framing.h"
#include "wire/outcome/result.h"

namespace midwire::replay {

using Place = wire::MethodPlace;
using wire::ParseScopedPlace;

// A value that one side sends at `from` and the other repeats at `to`.
struct Bind {
  Place from, to;
};
Result<Bind> ParseBind(std::string_view text);  // "FROM=TO"
// Of a text in pieces. An error if it names no method: pieces are those of messages of one method.
Result<Place> ParseChunkedPlace(std::string_view text);
Result<PathPair> ParseMap(std::string_view text);  // "FROM=TO", two paths

// Whose request an embedded id names.
enum class IdOf : unsigned char { kSender, kReceiver };
struct EmbeddedId {
  Place at;
  IdOf whose = IdOf::kSender;
};

// At `at`, any value of the shape counts as the recorded one, if it has its JSON type.
struct ShapedPlace {
  Place at;
  Shape shape;
};
Result<ShapedPlace> ParseShapedPlace(std::string_view text);  // "PLACE=SHAPE"

// What identifies a host: its working directory, the user's home directory and its pid. "" and 0:
// not known.
struct HostIdentity {
  std::string cwd, home;
  int64_t pid = 0;
};

struct Declarations {
  std::vector<Place> ignores;
  std::vector<ShapedPlace> shapes;
  std::vector<Place> unordered;  // arrays whose items may come in any order
  // Texts that come in pieces, in messages of one method: only the whole text is compared.
  std::vector<Place> chunked;
  std::vector<wire::MethodScope> volatile_methods;
  // Methods whose messages may come at any place, but all of them and no others.
  std::vector<wire::MethodScope> floating_methods;
  std::vector<Bind> binds;
  std::vector<EmbeddedId> ids;
  // Of the protocol: for streams whose framing the recording does not say.
  std::optional<wire::Framing> framing;
  bool infer_binds = true;  // also infer values that only the peer can have generated
  // Recorded paths of the host are read as those of `host`, and its pid too (host_mapper.h).
  HostIdentity host;
  PathPairs maps;                 // recorded path, and what it is read as
  std::vector<Place> host_pids;   // where the host's pid is
  std::vector<Place> host_names;  // what a host says of itself: a mock serves any
  bool any_pid = false;           // accept any value there
  bool portable = false;          // the trace has placeholders in place of paths
  // Set when a trace is loaded: a string of the peer that is equal after this counts as equal. A
  // program may have a recorded path built in.
  PathMap same_paths;
  // Of the header: members that no version knows, one line each, for a person. At most
  // kMaxWarnings.
  std::vector<std::string> warnings;

  // Whether messages of that class may come at any place and in any number.
  bool Volatile(const CallClass& of) const;
  bool Floating(const CallClass& of) const;

  // The embedded ids of LSP, MCP and DAP (cancellation, progress tokens), and LSP's processId.
  static Declarations WithDefaults();
};

// The rules of messages of one class. Points into `declared`.
PlaceRules RulesFor(const Declarations& declared, const CallClass& of);

// What a cassette's header declares (declaration_kinds.h). Adds to *to; members that midwire does
// not know are skipped with a warning.
Status ReadHeader(std::string_view header, Declarations* to);

// More of one kind is refused: each is compared with every value of every message.
inline constexpr size_t kMaxDeclared = 1000;
inline constexpr size_t kMaxWarnings = 20;

}  // namespace midwire::replay
