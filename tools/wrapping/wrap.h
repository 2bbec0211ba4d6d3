// Puts `midwire record --` in front of servers in a configuration, and takes it out again: the
// edits, as spans of its bytes. Unwrap(Wrap(x)) is x, byte for byte, which Wrap verifies. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/wrapping/config_tree.h"
#include "tools/wrapping/edits.h"
#include "tools/wrapping/servers.h"

namespace midwire::tools {

struct WrapOptions {
  std::string midwire;  // the path that the host starts
  // Whether a text with blanks is the name of a file, and not a line of words.
  std::function<bool(const std::string&)> is_file = [](const std::string&) { return false; };
};

// What happened to one server.
struct WrapNote {
  enum class Kind : uint8_t { kChanged, kAlready, kSkipped };
  Kind kind = Kind::kSkipped;
  std::string server;  // its name, with its group
  std::string text;    // what it runs, or why it was skipped
};

struct EditedConfig {
  std::string bytes;
  std::vector<Edit> edits;
  std::vector<WrapNote> notes;  // one per server that was asked for
  bool changed() const { return !edits.empty(); }
};

// `names`: of servers; empty: all. A name that no server has is an error, and so is a named server
// that cannot be changed.
Result<EditedConfig> WrapServers(const Config& config, const std::vector<std::string>& names,
                                 const WrapOptions& options);
// `by_hand`: also where midwire record was put without wrap.
Result<EditedConfig> UnwrapServers(const Config& config, const std::vector<std::string>& names,
                                   bool by_hand);

// A configuration without what wrap put there. What is no configuration stays as it is.
std::string WithoutMidwire(const std::string& bytes);

// Its name with its group, for people. Not escaped.
std::string FullName(const Server& server);
// What a server runs, for people, without midwire. Not escaped.
std::string CommandText(const Server& server);

}  // namespace midwire::tools
