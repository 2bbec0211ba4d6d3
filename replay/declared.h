// Declarations about a trace before it is replayed: ignored places, volatile methods, bindings,
// embedded ids. They come from a cassette's header, the command line and a dialect. Plain data,
// read by compile, bindings and matcher.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "replay/paths/path_map.h"
#include "wire/dialect/method_place.h"
#include "wire/outcome/result.h"

namespace midwire::replay {

using Place = wire::MethodPlace;
using wire::MatchesMethod;
using wire::ParseMethodPlace;

// A value that one side sends at `from` and the other repeats at `to`.
struct Bind {
  Place from, to;
};
Result<Bind> ParseBind(std::string_view text);     // "FROM=TO"
Result<PathPair> ParseMap(std::string_view text);  // "FROM=TO", two paths

// Whose request an embedded id names.
enum class IdOf : unsigned char { kSender, kReceiver };
struct EmbeddedId {
  Place at;
  IdOf whose = IdOf::kSender;
};

// What identifies a host: its working directory, the user's home directory and its pid. "" and 0:
// not known.
struct HostIdentity {
  std::string cwd, home;
  int64_t pid = 0;
};

struct Declarations {
  std::vector<Place> ignores;
  std::vector<std::string> volatile_methods;
  std::vector<Bind> binds;
  std::vector<EmbeddedId> ids;
  bool infer_binds = true;  // also infer values that only the peer can have generated

  // Recorded paths of the host are read as those of `host`, and its pid too (host_mapper.h).
  HostIdentity host;
  PathPairs maps;                // recorded path, and what it is read as
  std::vector<Place> host_pids;  // where the host's pid is
  bool any_pid = false;          // accept any value there
  bool portable = false;         // the trace has placeholders in place of paths
  // Set when a trace is loaded: a string of the peer that is equal after this counts as equal. A
  // program may have a recorded path built in.
  PathMap same_paths;

  // Whether messages of that method may come at any place and in any number.
  bool Volatile(std::string_view method) const;

  // The embedded ids of LSP, MCP and DAP (cancellation, progress tokens), and LSP's processId.
  static Declarations WithDefaults();
};

// The members "ignore", "bind", "volatile" (lists of strings), "ids" ({"sender":[...],
// "receiver":[...]}, lists of places), "host" ({"pid":[...]}) and "portable" (true or false) of a
// cassette's header; others are skipped. Adds to *to.
Status ReadHeader(std::string_view header, Declarations* to);

// More of one kind is refused: each is compared with every value of every message.
inline constexpr size_t kMaxDeclared = 1000;

}  // namespace midwire::replay
