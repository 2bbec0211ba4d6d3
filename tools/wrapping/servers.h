// The servers (plugins) that a host's configuration starts: where each is, what it runs, whether
// midwire is in front of it. Places are a table: a host is added by a row. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/wrapping/config_tree.h"

namespace midwire::tools {

// How `wrap` writes: its mark among the arguments of record, which `unwrap` reads. After "=".
inline constexpr std::string_view kMark = "--wrapped";
inline constexpr std::string_view kMarkNew = "new";      // there were no arguments
inline constexpr std::string_view kMarkLine = "line";    // the command is a line of words
inline constexpr std::string_view kMarkShell = "shell";  // the command is a line for a shell

enum class ServerState : uint8_t {
  kPlain,
  kWrapped,  // by `midwire wrap`
  kByHand,   // midwire record is in front of it, without wrap's mark
  kRemote,   // it has an address and no command
  kOther,    // nothing that can be edited; `reason` says why
};

struct Server {
  std::string name;
  std::string group;  // the project that it belongs to; mostly empty
  ServerState state = ServerState::kOther;
  std::string reason;                     // of kOther; of kRemote, the address
  size_t at = 0;                          // in the bytes
  const ConfigNode* table = nullptr;      // what has the members below; null: none
  const ConfigMember* command = nullptr;  // a text, or a list of all words
  const ConfigMember* args = nullptr;     // null: there are none
  std::string_view args_name;             // how the host names them: args, arguments
  // The command as words, as far as it is written as words: a line is one word.
  std::vector<std::string> words;
};

// Two servers of one name in one table: an error. `config` outlives the result.
Result<std::vector<Server>> FindServers(const Config& config);

// Of words with midwire in front: where the plugin's command begins, after "--". 0: nowhere.
size_t PluginWord(const std::vector<std::string>& words);
// The text after "--wrapped=" among the words before it; "" for "--wrapped".
std::string_view MarkOf(const std::vector<std::string>& words);

}  // namespace midwire::tools
