#include "tools/wrapping/wrap.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tools/console/shell_word.h"
#include "tools/wrapping/shell_line.h"
#include "tools/wrapping/wrap_edits.h"

namespace midwire::tools {
namespace {

// The servers that `names` mean. An error: there is none of a name.
Result<std::vector<const Server*>> Selected(const std::vector<Server>& servers,
                                            const std::vector<std::string>& names) {
  if (servers.empty()) {
    return Error{"no servers are in it, or it is of a host that midwire does not know", "",
                 "see midwire wrap --help for the hosts"};
  }
  for (const std::string& name : names) {
    const bool known = std::any_of(servers.begin(), servers.end(),
                                   [&](const Server& server) { return server.name == name; });
    if (known) continue;
    std::string all;
    for (const Server& server : servers) all += (all.empty() ? "" : ", ") + server.name;
    return Error{"no server is named \"" + name + "\"", "", "it has " + all};
  }
  std::vector<const Server*> selected;
  for (const Server& server : servers) {
    if (names.empty() || std::find(names.begin(), names.end(), server.name) != names.end()) {
      selected.push_back(&server);
    }
  }
  return selected;
}

// A command line ends at a NUL byte: midwire would not get the rest of such a word.
Status CanStart(const Config& config, const std::vector<std::string>& names) {
  const auto servers = FindServers(config);
  if (!servers) return servers.error();
  for (const Server& server : *servers) {
    const bool selected =
        names.empty() || std::find(names.begin(), names.end(), server.name) != names.end();
    const bool has_nul =
        std::any_of(server.words.begin(), server.words.end(),
                    [](const std::string& word) { return word.find('\0') != word.npos; });
    if (!selected || server.state != ServerState::kPlain || !has_nul) continue;
    return Error{"\"" + server.name + "\": a word of its command has a NUL byte", "",
                 "correct it first, or name the other servers"};
  }
  return Ok{};
}

// Whether the host starts the same plugin as before.
bool SameCommand(const Server& old, const Server& now) {
  const size_t first = PluginWord(now.words);
  if (old.state == now.state || first == 0) return CommandText(old) == CommandText(now);
  return old.words.size() == now.words.size() - first &&
         std::equal(old.words.begin(), old.words.end(),
                    now.words.begin() + static_cast<ptrdiff_t>(first));
}

// A reader that does not understand an edit must not get it: the result is read again, and the
// opposite edit must give the old bytes.
Status Verify(const Config& config, const EditedConfig& made) {
  const Error wrong{"midwire does not understand how it is written", "",
                    "it was not changed: edit it by hand"};
  const Result<Config> read = ReadConfig(made.bytes);
  if (!read || read->format != config.format) return wrong;
  const auto before = FindServers(config);
  const auto after = FindServers(*read);
  if (!after || after->size() != before->size()) return wrong;
  std::vector<Edit> back;
  for (size_t i = 0; i < after->size(); ++i) {
    const Server& old = (*before)[i];
    const Server& now = (*after)[i];
    if (old.name != now.name || !SameCommand(old, now)) return wrong;
    if (old.state == now.state) continue;
    if (now.state != ServerState::kWrapped) return wrong;
    auto edits = EditsToUnwrap(*read, now);
    if (!edits) return wrong;
    std::move(edits->begin(), edits->end(), std::back_inserter(back));
  }
  if (ApplyEdits(made.bytes, std::move(back)) != config.bytes) return wrong;
  return Ok{};
}

// `edits_of(server, note)`: of a server that has a command; it also fills the note.
template <typename EditsOf>
Result<EditedConfig> Rewrite(const Config& config, const std::vector<std::string>& names,
                             const EditsOf& edits_of) {
  const auto servers = FindServers(config);
  if (!servers) return servers.error();
  const auto selected = Selected(*servers, names);
  if (!selected) return selected.error();
  EditedConfig made;
  for (const Server* server : *selected) {
    WrapNote note;
    note.server = FullName(*server);
    if (server->state == ServerState::kRemote) {
      note.text = "remote, nothing to start: " + server->reason;
    } else if (server->state == ServerState::kOther) {
      if (!names.empty()) {
        return Error{"\"" + server->name + "\": " + server->reason, "", "edit it by hand"};
      }
      note.text = server->reason;
    } else {
      auto edits = edits_of(*server, &note);
      if (!edits) {
        if (!names.empty()) return edits.error();
        note.kind = WrapNote::Kind::kSkipped;
        // The note names the server already.
        const std::string named = "\"" + server->name + "\": ";
        note.text = edits.error().what;
        if (note.text.starts_with(named)) note.text.erase(0, named.size());
      } else {
        std::move(edits->begin(), edits->end(), std::back_inserter(made.edits));
      }
    }
    made.notes.push_back(std::move(note));
  }
  made.bytes = ApplyEdits(config.bytes, made.edits);
  return made;
}

}  // namespace

std::string FullName(const Server& server) {
  return server.group.empty() ? server.name : server.name + " (" + server.group + ")";
}

std::string CommandText(const Server& server) {
  size_t first = server.state == ServerState::kPlain ? 0 : PluginWord(server.words);
  std::string text;
  if (server.words.size() == 1) {  // a line, or a name without arguments
    text = server.words[0];
    const size_t dashes =
        server.state == ServerState::kPlain ? std::string::npos : text.find(" -- ");
    if (dashes == std::string::npos) return text;
    text.erase(0, dashes + 4);
    return LineOf(" -- " + text, '\0', /*plain=*/false).value_or(text);
  }
  for (size_t i = first; i < server.words.size(); ++i) {
    text += (text.empty() ? "" : " ") + AsShellWord(server.words[i]);
  }
  return text;
}

Result<EditedConfig> WrapServers(const Config& config, const std::vector<std::string>& names,
                                 const WrapOptions& options) {
  if (Status can = CanStart(config, names); !can) return can.error();
  auto made = Rewrite(config, names, [&](const Server& server, WrapNote* note) {
    note->text = CommandText(server);
    if (server.state != ServerState::kPlain) {
      note->kind = WrapNote::Kind::kAlready;
      return Result<std::vector<Edit>>(std::vector<Edit>{});
    }
    note->kind = WrapNote::Kind::kChanged;
    return EditsToWrap(config, server, options);
  });
  if (!made || !made->changed()) return made;
  const Status verified = Verify(config, *made);
  if (!verified) return verified.error();
  return made;
}

Result<EditedConfig> UnwrapServers(const Config& config, const std::vector<std::string>& names,
                                   bool by_hand) {
  return Rewrite(config, names, [&](const Server& server, WrapNote* note) {
    const bool wrapped = server.state == ServerState::kWrapped;
    note->text = CommandText(server);
    if (!wrapped && (server.state == ServerState::kPlain || !by_hand)) {
      note->kind = WrapNote::Kind::kAlready;
      if (server.state == ServerState::kByHand) {
        note->kind = WrapNote::Kind::kSkipped;
        note->text = "midwire record was put there by hand; --by-hand removes that too";
      }
      return Result<std::vector<Edit>>(std::vector<Edit>{});
    }
    note->kind = WrapNote::Kind::kChanged;
    return EditsToUnwrap(config, server);
  });
}

std::string WithoutMidwire(const std::string& bytes) {
  const auto config = ReadConfig(bytes);
  if (!config) return bytes;
  const auto made = UnwrapServers(*config, {}, /*by_hand=*/false);
  return made ? made->bytes : bytes;
}

}  // namespace midwire::tools
