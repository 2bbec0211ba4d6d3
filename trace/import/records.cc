// Logs that are JSON themselves: an object on each line, or an array of objects. A row for each
// program says which of their members have direction, message and time.
#include <charconv>
#include <string>
#include <vector>

#include "trace/import/entries.h"
#include "trace/import/markers.h"
#include "trace/import/readers.h"
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
    {"send", Side::kHost},
    {"receive", Side::kPlugin},
    {"sent", Side::kHost},
    {"received", Side::kPlugin},
    {"send-request", Side::kHost},
    {"receive-request", Side::kPlugin},
    {"send-response", Side::kHost},
    {"receive-response", Side::kPlugin},
    {"send-notification", Side::kHost},
    {"receive-notification", Side::kPlugin},
    {"out", Side::kHost},
    {"in", Side::kPlugin},
    {"outgoing", Side::kHost},
    {"incoming", Side::kPlugin},
    {"stdin", Side::kHost},
    {"stdout", Side::kPlugin},
    {"stderr", Side::kStderr},
};

Side SideOf(std::string_view quoted) {
  if (!quoted.starts_with('"')) return Side::kUnknown;
  std::string word = wire::StringValue(quoted);
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  for (const SideWord& row : kSideWords) {
    if (row.word == word) return row.side;
  }
  return Side::kUnknown;
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

void ReadRecord(std::string_view record, size_t line, const RecordMembers& members,
                Conversation* to) {
  const Time time = TimeIn(MemberAt(record, members.time));
  const Side side = SideOf(MemberAt(record, members.direction));
  const std::string_view message = MemberAt(record, members.message);
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
  const Time time = TimeIn(MemberAt(entry, "/timestamp"));
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

void ReadRecords(std::string_view log, const RecordMembers& members, Conversation* to) {
  Lines lines(log);
  std::string_view line;
  while (lines.Next(&line)) {
    const size_t brace = line.find('{');
    const std::string_view record = JsonAtStart(line.substr(std::min(brace, line.size())));
    if (!record.empty()) {
      ReadRecord(record, lines.number(), members, to);
    } else if (brace == 0) {
      to->Unread(lines.number(), "not a complete JSON text");
    } else {
      to->LeaveOut();
    }
  }
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
