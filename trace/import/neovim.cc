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

constexpr char kNoTable[] = "the message is not a complete Lua table that has JSON";
static_assert(LuaCopies::kPlain == 16u << 20 && LuaCopies::kPerByte == 4);
constexpr char kManyCopies[] =
    "tables that it prints once and names again make the log longer than 16 MiB and 4 times its "
    "size";

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

// What is behind the level.
Time NeovimTime(const Entry& entry, Conversation* to) {
  return TimeAtStart(entry.first.substr(entry.first.find('[', 1) + 1), to);
}

void ReadNeovimMessage(const Entry& entry, wire::Direction from, std::string_view table,
                       LuaCopies* copies, Conversation* to) {
  if (std::optional<std::string> json = LuaToJson(table, copies)) {
    AddNullResult(&*json);
    return to->Message(from, *json, NeovimTime(entry, to));
  }
  to->Unread(entry.line, copies->TakeRefusal() ? kManyCopies : kNoTable);
}

}  // namespace

bool IsNeovim(std::string_view start) { return AnyLine(start, IsNeovimMessage); }

void ReadNeovim(std::string_view log, Conversation* to) {
  Entries entries(log, BeginsNeovimEntry);
  LuaCopies copies(log.size());
  Entry entry;
  while (entries.Next(&entry)) {
    if (!BeginsNeovimEntry(entry.first)) {
      to->LeaveOut();
      continue;
    }
    if (const std::string_view sent = After(entry, kSend); !sent.empty()) {
      ReadNeovimMessage(entry, wire::Direction::kHostToPlugin, sent, &copies, to);
    } else if (const std::string_view got = After(entry, kReceive); !got.empty()) {
      ReadNeovimMessage(entry, wire::Direction::kPluginToHost, got, &copies, to);
    } else if (const auto text = LuaString(After(entry, kServerStderr))) {
      to->Bytes(Stream::kStderr, *text, NeovimTime(entry, to));
    } else {
      to->LeaveOut();
    }
  }
}

}  // namespace midwire::trace::import
