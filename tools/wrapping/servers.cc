#include "tools/wrapping/servers.h"

#include <algorithm>
#include <set>
#include <utility>

namespace midwire::tools {
namespace {

using Kind = ConfigNode::Kind;

// Where hosts keep their servers: names of members, * for each member of a table, - for each item
// of a list. The last * is the server's name, one before it its group.
constexpr std::string_view kPlaces[] = {
    "mcpServers/*",             // Claude Desktop, Claude Code, Cursor, Windsurf, Gemini CLI
    "projects/*/mcpServers/*",  // Claude Code, per project
    "servers/*",                // VS Code, mcp.json
    "mcp/servers/*",            // VS Code, settings.json
    "context_servers/*",        // Zed
    "lsp/*/binary",             // Zed, language servers
    "agent_servers/*",          // Zed, agents that speak ACP
    "mcp_servers/*",            // Codex CLI
    "language-server/*",        // Helix
    "mcpServers/-",             // Continue
};
constexpr std::string_view kAddresses[] = {"url", "httpUrl", "serverUrl", "uri"};

const ConfigNode* TextMember(const ConfigNode& table, std::string_view name) {
  const ConfigMember* member = table.Find(name);
  return member != nullptr && member->value.is(Kind::kText) ? &member->value : nullptr;
}

size_t Count(const ConfigNode& table, std::string_view name) {
  return static_cast<size_t>(
      std::count_if(table.members.begin(), table.members.end(),
                    [&](const ConfigMember& member) { return member.name == name; }));
}

bool ReadWords(const ConfigNode& list, std::vector<std::string>* words) {
  for (const ConfigNode& item : list.items) {
    if (item.is(Kind::kTable) || item.is(Kind::kList)) return false;
    words->push_back(item.text);
  }
  return true;
}

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// What `server` is, from its table.
void Understand(const ConfigNode& value, Server* server) {
  if (value.is(Kind::kAlias)) {
    server->reason = "the same as another one, by the alias " + value.text;
    return;
  }
  if (!value.is(Kind::kTable)) {
    server->reason = "it is not a table";
    return;
  }
  const ConfigNode* table = &value;
  const ConfigMember* command = table->Find("command");
  server->args_name = "args";
  if (command != nullptr && command->value.is(Kind::kTable)) {  // Zed's older form
    table = &command->value;
    command = nullptr;
  }
  if (command == nullptr && table->Has("path")) {
    command = table->Find("path");
    if (!table->Has("args")) server->args_name = "arguments";
    if (table != &value) server->args_name = "args";
  }
  if (command == nullptr) {
    for (const std::string_view name : kAddresses) {
      if (const ConfigNode* address = TextMember(value, name)) {
        server->state = ServerState::kRemote;
        server->reason = address->text;
        return;
      }
    }
    server->reason =
        value.Has("<<") ? "its command comes from elsewhere (<<)" : "it has no command";
    return;
  }
  if (Count(*table, command->name) > 1 || Count(*table, server->args_name) > 1) {
    server->reason = "it has two commands or two lists of arguments";
    return;
  }
  if (table->Has("<<")) {
    server->reason = "parts of it come from elsewhere (<<)";
    return;
  }
  server->table = table;
  server->command = command;
  server->args = table->Find(server->args_name);
  bool understood = true;
  if (command->value.is(Kind::kList)) {
    understood = ReadWords(command->value, &server->words) && !server->words.empty();
  } else {
    understood = command->value.is(Kind::kText) || command->value.is(Kind::kAlias);
    server->words.push_back(command->value.text);
    if (server->args != nullptr) {
      understood = understood && server->args->value.is(Kind::kList) &&
                   ReadWords(server->args->value, &server->words);
    }
  }
  if (!understood) {
    server->reason = server->args != nullptr && server->args->value.is(Kind::kAlias)
                         ? "its arguments are the alias " + server->args->value.text
                         : "its command or its arguments are no texts";
    server->table = nullptr;
    return;
  }
  if (server->words[0].empty()) {
    server->reason = "its command is empty";
    server->table = nullptr;
    return;
  }
  server->state = ServerState::kPlain;
  // A line has no marks of its own as words.
  std::vector<std::string> words = server->words;
  if (words.size() == 1) {
    words.clear();
    const std::string& line = server->words[0];
    for (size_t at = 0; at < line.size();) {
      const size_t end = std::min(line.find(' ', at), line.size());
      if (end > at) words.push_back(line.substr(at, end - at));
      at = end + 1;
    }
  }
  if (PluginWord(words) == 0) return;
  const bool marked =
      std::any_of(words.begin(), words.begin() + static_cast<ptrdiff_t>(PluginWord(words)),
                  [](const std::string& word) {
                    return word == kMark || word.starts_with(std::string(kMark) + "=");
                  });
  if (marked) {
    server->state = ServerState::kWrapped;
  } else if (BaseName(words[0]) == "midwire") {
    server->state = ServerState::kByHand;
  }
}

class Finder {
 public:
  Status Find(const ConfigNode& node, std::string_view place, Server server) {
    if (place.empty()) {
      server.at = node.from;
      Understand(node, &server);
      servers.push_back(std::move(server));
      return Ok{};
    }
    const size_t slash = std::min(place.find('/'), place.size());
    const std::string_view step = place.substr(0, slash);
    const std::string_view rest = place.substr(std::min(slash + 1, place.size()));
    if (step == "-") {
      for (size_t i = 0; node.is(Kind::kList) && i < node.items.size(); ++i) {
        const ConfigNode* name = TextMember(node.items[i], "name");
        server.name = name != nullptr ? name->text : "#" + std::to_string(i + 1);
        if (Status found = Find(node.items[i], rest, server); !found) return found;
      }
      return Names(node);
    }
    if (!node.is(Kind::kTable)) return Ok{};
    if (step != "*") {
      const ConfigMember* member = node.Find(step);
      if (member == nullptr) return Ok{};
      if (Count(node, step) > 1) return Twice(step);
      return Find(member->value, rest, server);
    }
    for (const ConfigMember& member : node.members) {
      Server inner = server;
      if (!inner.name.empty()) inner.group = inner.name;
      inner.name = member.name;
      if (Status found = Find(member.value, rest, inner); !found) return found;
    }
    std::set<std::string_view> names;
    for (const ConfigMember& member : node.members) {
      if (!names.insert(member.name).second) return Twice(member.name);
    }
    return Ok{};
  }

  std::vector<Server> servers;

 private:
  static Error Twice(std::string_view name) {
    return {"two entries of one name", std::string(name), "remove one of them first"};
  }
  static Status Names(const ConfigNode& list) {
    std::set<std::string> names;
    for (const ConfigNode& item : list.items) {
      const ConfigNode* name = TextMember(item, "name");
      if (name != nullptr && !names.insert(name->text).second) return Twice(name->text);
    }
    return Ok{};
  }
};

}  // namespace

size_t PluginWord(const std::vector<std::string>& words) {
  if (words.size() < 2 || words[1] != "record") return 0;
  const auto dashes = std::find(words.begin() + 2, words.end(), "--");
  if (dashes == words.end() || dashes + 1 == words.end()) return 0;
  return static_cast<size_t>(dashes - words.begin()) + 1;
}

std::string_view MarkOf(const std::vector<std::string>& words) {
  const std::string with = std::string(kMark) + "=";
  for (size_t i = 0; i < PluginWord(words); ++i) {
    if (words[i].starts_with(with)) return std::string_view(words[i]).substr(with.size());
  }
  return "";
}

Result<std::vector<Server>> FindServers(const Config& config) {
  Finder finder;
  for (const std::string_view place : kPlaces) {
    if (Status found = finder.Find(config.root, place, Server{}); !found) return found.error();
  }
  std::stable_sort(finder.servers.begin(), finder.servers.end(),
                   [](const Server& a, const Server& b) { return a.at < b.at; });
  return std::move(finder.servers);
}

}  // namespace midwire::tools
