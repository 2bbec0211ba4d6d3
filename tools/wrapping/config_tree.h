// A host's configuration file as a tree whose nodes know their bytes: what wrap and unwrap read to
// find the servers, and where an edit goes. Made by ReadConfig, from JSON with comments, TOML or
// YAML. Never written back: edits are spans of the bytes (edits.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::tools {

enum class ConfigFormat : uint8_t { kJson, kToml, kYaml };

struct ConfigMember;

struct ConfigNode {
  enum class Kind : uint8_t {
    kText,  // a string
    kList,
    kTable,
    kAlias,  // of YAML; `text` is "*name"
    kOther,  // a number, true, null, a date
  };
  Kind kind = Kind::kOther;
  // The bytes of a value, with quotes, brackets and YAML anchors. Of tables and lists that are not
  // in brackets (TOML headers, YAML blocks), only `from` is meant. to == from: a text that cannot
  // be moved, because it is in several lines.
  size_t from = 0, to = 0;
  bool bracketed = false;
  size_t inside = 0;  // a list or table in brackets: after the opening one; a text: after its quote
  std::string text;   // of kText without escapes, of kOther as it is written
  std::vector<ConfigNode> items;      // of a list
  std::vector<ConfigMember> members;  // of a table, in order, with duplicates

  bool is(Kind other) const { return kind == other; }
  const ConfigMember* Find(std::string_view name) const;  // the first, or nullptr
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
};

struct ConfigMember {
  std::string name;
  size_t name_from = 0;  // of TOML's dotted key: of its beginning
  std::string prefix;    // of a dotted key: what is before its last part, as it is written
  ConfigNode value;
};

struct Config {
  std::string bytes;
  ConfigFormat format = ConfigFormat::kJson;
  ConfigNode root;
};

// Files of hosts have a few KiB; that of a coding agent keeps a history and has several MiB.
inline constexpr size_t kMaxConfig = 16u << 20;
// Real files nest below 10. The readers recurse once per level.
inline constexpr size_t kMaxConfigDepth = 64;

// The format is known by content. The name of the file ("": none) decides only which format a
// broken one is reported as. An error names line and column.
Result<Config> ReadConfig(std::string bytes, std::string_view name = "");

// The readers of one format each. Called by ReadConfig; `text` is valid UTF-8.
Result<ConfigNode> ReadJsonConfig(std::string_view text);
Result<ConfigNode> ReadTomlConfig(std::string_view text);
Result<ConfigNode> ReadYamlConfig(std::string_view text);

// "line 3, column 7", both from 1, the column in bytes.
std::string PlaceIn(std::string_view text, size_t at);

}  // namespace midwire::tools
