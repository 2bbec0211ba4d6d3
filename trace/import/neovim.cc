// Neovim's lsp.log with vim.lsp.log.set_level("debug"): `rpc.send` and `rpc.receive` with the
// message as a Lua table, and what servers write to stderr.
#include <optional>
#include <string>

#include "trace/import/entries.h"
#include "trace/import/lua.h"
#include "trace/import/readers.h"
#include "wire/message_scanner.h"

namespace midwire::trace::import {
namespace {

constexpr std::string_view kSend = "\t\"rpc.send\"\t", kReceive = "\t\"rpc.receive\"\t",
                           kServerStderr = "\t\"stderr\"\t";

bool BeginsNeovimEntry(std::string_view line) {
  for (const std::string_view level :
       {"[START][", "[TRACE][", "[DEBUG][", "[INFO][", "[WARN][", "[ERROR]["}) {
    if (line.starts_with(level)) return true;
  }
  return false;
}

bool IsNeovimMessage(std::string_view line) {
  return BeginsNeovimEntry(line) &&
         (line.find(kSend) != line.npos || line.find(kReceive) != line.npos);
}

// What follows `mark` in the entry; "" if it has no such mark.
std::string_view After(const Entry& entry, std::string_view mark) {
  const size_t at = entry.first.find(mark);
  return at == entry.first.npos ? "" : entry.text.substr(at + mark.size());
}

// Neovim prints no member of an object that is null (0.7.2): an answer with neither has a result of
// null.
void AddNullResult(std::string* json) {
  wire::MessageScanner scanner;
  scanner.Start(/*line=*/false);
  scanner.Feed(*json);
  if (!(scanner.Finish().flags & wire::kNeither)) return;
  json->insert(json->size() - 1, ",\"result\":null");
}

void ReadNeovimMessage(const Entry& entry, wire::Direction from, std::string_view table, Time time,
                       Conversation* to) {
  if (std::optional<std::string> json = LuaToJson(table)) {
    AddNullResult(&*json);
    return to->Message(from, *json, time);
  }
  to->Unread(entry.line, "the message is not a complete Lua table that has JSON");
}

}  // namespace

bool IsNeovim(std::string_view start) { return AnyLine(start, IsNeovimMessage); }

void ReadNeovim(std::string_view log, Conversation* to) {
  Entries entries(log, BeginsNeovimEntry);
  Entry entry;
  while (entries.Next(&entry)) {
    if (!BeginsNeovimEntry(entry.first)) {
      to->LeaveOut();
      continue;
    }
    const Time time = TimeAtStart(entry.first.substr(entry.first.find('[', 1) + 1), to);
    if (const std::string_view sent = After(entry, kSend); !sent.empty()) {
      ReadNeovimMessage(entry, wire::Direction::kHostToPlugin, sent, time, to);
    } else if (const std::string_view got = After(entry, kReceive); !got.empty()) {
      ReadNeovimMessage(entry, wire::Direction::kPluginToHost, got, time, to);
    } else if (const auto text = LuaString(After(entry, kServerStderr))) {
      to->Bytes(Stream::kStderr, *text, time);
    } else {
      to->LeaveOut();
    }
  }
}

}  // namespace midwire::trace::import
