// Logs that are JSON themselves: an object on each line, or an array of objects. A row for each
// program says which of their members have direction, message and time.
#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "trace/import/entries.h"
#include "trace/import/markers.h"
#include "trace/import/readers.h"
#include "wire/json/ascii.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"

namespace midwire::trace::import {
namespace {

enum class Side : uint8_t { kHost, kPlugin, kStderr, kUnknown };
struct SideWord {
  std::string_view word;
  Side side;
  bool of_writer = false;  // what the log's writer did: the host, unless the log shows otherwise
};
// Of a direction member, in lower case.
constexpr SideWord kSideWords[] = {
    {"c2s", Side::kHost},
    {"s2c", Side::kPlugin},
    {"client", Side::kHost},
    {"server", Side::kPlugin},
    {"host", Side::kHost},
    {"plugin", Side::kPlugin},
    {"client->server", Side::kHost},
    {"server->client", Side::kPlugin},
    {"client-to-server", Side::kHost},
    {"server-to-client", Side::kPlugin},
    {"client_to_server", Side::kHost},
    {"server_to_client", Side::kPlugin},
    {"host-to-plugin", Side::kHost},
    {"plugin-to-host", Side::kPlugin},
    {"send", Side::kHost, true},
    {"receive", Side::kPlugin, true},
    {"sent", Side::kHost, true},
    {"received", Side::kPlugin, true},
    {"send-request", Side::kHost, true},
    {"receive-request", Side::kPlugin, true},
    {"send-response", Side::kHost, true},
    {"receive-response", Side::kPlugin, true},
    {"send-notification", Side::kHost, true},
    {"receive-notification", Side::kPlugin, true},
    {"out", Side::kHost, true},
    {"in", Side::kPlugin, true},
    {"outgoing", Side::kHost, true},
    {"incoming", Side::kPlugin, true},
    {"stdin", Side::kHost},
    {"stdout", Side::kPlugin},
    {"stderr", Side::kStderr},
};

const SideWord* FindSideWord(std::string_view quoted) {
  if (!quoted.starts_with('"')) return nullptr;
  const std::string word = wire::ToLower(wire::StringValue(quoted));
  for (const SideWord& row : kSideWords) {
    if (row.word == word) return &row;
  }
  return nullptr;
}

Side SideOf(std::string_view quoted) {
  const SideWord* const row = FindSideWord(quoted);
  return row == nullptr ? Side::kUnknown : row->side;
}

std::string_view MemberAt(std::string_view record, const std::string& pointer) {
  const Result<wire::Pointer> parsed = wire::ParsePointer(pointer);
  if (!parsed) return {};
  return wire::ValueAt(record, *parsed).value_or(std::string_view());
}

// "2026-01-05T10:00:00Z", or milliseconds since 1970.
Time TimeIn(std::string_view value) {
  if (value.starts_with('"')) return TimeAtStart(value.substr(1));
  int64_t ms = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), ms);
  constexpr int64_t kMost = INT64_MAX / 1'000'000;
  if (value.empty() || parsed.ec != std::errc() || ms < 0 || ms > kMost) return std::nullopt;
  return ms * 1'000'000;
}

// Of a record; one that cannot be read is counted.
Time RecordTime(std::string_view record, const std::string& pointer, Conversation* to) {
  const std::string_view value = pointer.empty() ? std::string_view() : MemberAt(record, pointer);
  const Time time = TimeIn(value);
  if (!time && !value.empty() && value != "null") to->Undated();
  return time;
}

// A message is JSON, or JSON in a string.
void AddRecordMessage(wire::Direction from, std::string_view message, Time time, size_t line,
                      Conversation* to) {
  std::string text;
  if (message.starts_with('"')) {
    text = wire::StringValue(message);
    message = JsonAtStart(text);
  }
  if (message.empty() || !wire::IsLooseJson(message)) return to->Unread(line, "no message in it");
  to->Message(from, message, time);
}

// LSP, MCP and ACP have a method; DAP has a command, and answers have it too.
bool IsInitialize(std::string_view message) {
  std::string text;
  if (message.starts_with('"')) {
    text = wire::StringValue(message);
    message = JsonAtStart(text);
  }
  return MemberAt(message, "/method") == "\"initialize\"" ||
         (MemberAt(message, "/command") == "\"initialize\"" &&
          MemberAt(message, "/type") == "\"request\"");
}

// Whose messages are those of a direction, by what the caller says and what the log shows.
class RecordSides {
 public:
  explicit RecordSides(const RecordMembers& members) : members_(members) {}

  // Looks for the first `initialize`: it is the host's.
  void Look(std::string_view record) {
    const SideWord* const row = FindSideWord(MemberAt(record, members_.direction));
    if (looked_ || row == nullptr || !members_.host_word.empty()) return;
    if (!IsInitialize(MemberAt(record, members_.message))) return;
    looked_ = true;
    found_.swapped = row->of_writer && row->side == Side::kPlugin;
  }
  bool looked() const { return looked_ || !members_.host_word.empty(); }

  // `message`: whether the record has one.
  Side Of(std::string_view quoted, bool message) {
    Side side = SideOf(quoted);
    if (!members_.host_word.empty() && side != Side::kStderr && quoted.starts_with('"')) {
      const bool host =
          wire::ToLower(wire::StringValue(quoted)) == wire::ToLower(members_.host_word);
      side = host ? Side::kHost : message ? Side::kPlugin : Side::kUnknown;
    } else if (found_.swapped && FindSideWord(quoted) != nullptr &&
               FindSideWord(quoted)->of_writer) {
      side = side == Side::kHost ? Side::kPlugin : Side::kHost;
    }
    if (message && (side == Side::kHost || side == Side::kPlugin)) Note(quoted, side);
    return side;
  }
  const RecordWords& found() const { return found_; }

 private:
  void Note(std::string_view quoted, Side side) {
    const std::string word = wire::StringValue(quoted);
    for (const WordParty& known : found_.words) {
      if (known.word == word) return;
    }
    if (found_.words.size() < kMostWords) found_.words.push_back({word, side == Side::kHost});
  }

  const RecordMembers& members_;
  RecordWords found_;
  bool looked_ = false;
};

void ReadRecord(std::string_view record, size_t line, const RecordMembers& members,
                RecordSides* sides, Conversation* to) {
  const Time time = RecordTime(record, members.time, to);
  const std::string_view message = MemberAt(record, members.message);
  const Side side = sides->Of(MemberAt(record, members.direction), !message.empty());
  if (side == Side::kHost || side == Side::kPlugin) {
    const auto from =
        side == Side::kHost ? wire::Direction::kHostToPlugin : wire::Direction::kPluginToHost;
    // mcpsnoop: a line of stdout that is no JSON.
    const std::string_view text = MemberAt(record, "/text");
    if (message.empty() && text.starts_with('"')) {
      return to->Bytes(StreamOf(from), wire::StringValue(text) + "\n", time);
    }
    return AddRecordMessage(from, message, time, line, to);
  }
  if (side == Side::kStderr) {
    const std::string_view text = message.empty() ? MemberAt(record, "/text") : message;
    if (text.starts_with('"'))
      return to->Bytes(Stream::kStderr, wire::StringValue(text) + "\n", time);
  }
  to->LeaveOut();
}

// The object in a line, behind what precedes it; "": none that is complete. *brace: where it
// begins.
std::string_view RecordIn(std::string_view line, size_t* brace) {
  *brace = line.find('{');
  return JsonAtStart(line.substr(std::min(*brace, line.size())));
}

const RecordMembers kLspJson{"/type", "/message", "/timestamp"};
const RecordMembers kSnoop{"/direction", "/raw", "/ts"};

bool IsLspRecord(std::string_view line) {
  return line.find("\"isLSPMessage\":true") != line.npos && line.find("\"message\"") != line.npos;
}
bool IsSnoopRecord(std::string_view line) {
  return line.starts_with('{') && line.find("\"session_id\"") != line.npos &&
         line.find("\"direction\"") != line.npos && line.find("\"server_label\"") != line.npos;
}

// One entry of the Inspector: a request with its answer, or another message. `line`: its number in
// the array.
void ReadInspectorEntry(std::string_view entry, size_t line, Conversation* to) {
  const Time time = RecordTime(entry, "/timestamp", to);
  // Entries of older versions have no origin: what the server asks or reports is then taken for the
  // client's.
  const std::string_view origin = MemberAt(entry, "/origin");
  const bool server = SideOf(origin) == Side::kPlugin;
  const auto from = server ? wire::Direction::kPluginToHost : wire::Direction::kHostToPlugin;
  AddRecordMessage(from, MemberAt(entry, "/message"), time, line, to);
  const std::string_view response = MemberAt(entry, "/response");
  if (response.empty()) return;
  Time answered = time;
  const std::string_view duration = MemberAt(entry, "/duration");
  if (const Time took = duration.starts_with('"') ? std::nullopt : TimeIn(duration)) {
    constexpr int64_t kDay = 86'400'000'000'000;
    if (time && *took < kDay) answered = *time + *took;
  }
  AddRecordMessage(wire::Opposite(from), response, answered, line, to);
}

}  // namespace

RecordWords ReadRecords(std::string_view log, const RecordMembers& members, Conversation* to) {
  RecordSides sides(members);
  std::string_view line;
  size_t brace = 0;
  for (Lines lines(log); !sides.looked() && lines.Next(&line);) sides.Look(RecordIn(line, &brace));
  Lines lines(log);
  while (lines.Next(&line)) {
    const std::string_view record = RecordIn(line, &brace);
    if (!record.empty()) {
      ReadRecord(record, lines.number(), members, &sides, to);
    } else if (brace == 0) {
      to->Unread(lines.number(), "not a complete JSON text");
    } else {
      to->LeaveOut();
    }
  }
  return sides.found();
}

bool IsVsCodeJson(std::string_view start) { return AnyLine(start, IsLspRecord); }
void ReadVsCodeJson(std::string_view log, Conversation* to) { ReadRecords(log, kLspJson, to); }

bool IsSnoop(std::string_view start) { return AnyLine(start, IsSnoopRecord); }
void ReadSnoop(std::string_view log, Conversation* to) { ReadRecords(log, kSnoop, to); }

bool IsInspector(std::string_view start) {
  return wire::Trimmed(start).starts_with('[') && start.find("\"direction\"") != start.npos &&
         start.find("\"message\"") != start.npos && start.find("\"timestamp\"") != start.npos;
}

void ReadInspector(std::string_view log, Conversation* to) {
  const std::string_view array = JsonAtStart(log);
  if (array.empty()) return to->Unread(1, "not a complete JSON text");
  std::vector<std::string_view> entries;
  wire::JsonParts parts(array);
  for (wire::JsonPart part; parts.Next(&part);) entries.push_back(part.value);
  for (size_t i = 0; i < entries.size(); ++i) {
    if (wire::TypeOf(entries[i]) == wire::JsonType::kObject) {
      ReadInspectorEntry(entries[i], i + 1, to);
    } else {
      to->LeaveOut();
    }
  }
}

}  // namespace midwire::trace::import
