#include "trace/cassette_line.h"

#include <algorithm>
#include <array>

#include "trace/cassette_format.h"
#include "wire/json/base64.h"
#include "wire/json/decimal.h"
#include "wire/json/parts.h"
#include "wire/json/value.h"
#include "wire/json/writer.h"

namespace midwire::trace {
namespace {

using namespace cassette;
using wire::Framing;
using wire::RawMember;

// The known members of an item, as they are in the line; empty: absent.
struct Item {
  std::string_view from, at, framing, head, tail;
  std::string_view message, body, junk, part, stderr_bytes, event;
};

struct ItemName {
  std::string_view name;
  std::string_view Item::*member;
  bool content;  // determines the kind of line: exactly one is required
};

constexpr ItemName kItemNames[] = {
    {"from", &Item::from, false},       {"at", &Item::at, false},
    {"framing", &Item::framing, false}, {"head", &Item::head, false},
    {"tail", &Item::tail, false},       {"message", &Item::message, true},
    {"body", &Item::body, true},        {"junk", &Item::junk, true},
    {"part", &Item::part, true},        {"stderr", &Item::stderr_bytes, true},
    {"event", &Item::event, true},
};

// Wraps around, as the difference did when it was written.
int64_t Absolute(int64_t start_ns, int64_t relative_ns) {
  return static_cast<int64_t>(static_cast<uint64_t>(start_ns) + static_cast<uint64_t>(relative_ns));
}

// The content of a JSON string that needs no unescaping to be compared.
std::string_view Plain(std::string_view quoted) {
  return quoted.size() >= 2 && quoted.front() == '"' ? quoted.substr(1, quoted.size() - 2)
                                                     : std::string_view();
}

const char* ParseHeader(const std::vector<RawMember>& members, CassetteLine* line) {
  line->kind = CassetteLine::Kind::kHeader;
  int64_t version = 0;
  std::string event;
  wire::JsonWriter json(&event);
  json.Open('{');
  json.Key("event").Text("header");
  bool more = false;
  for (const RawMember& member : members) {
    if (member.name == "version") {
      wire::ParseNumber(member.value, &version);
    } else if (member.name == "start") {
      if (!ParseTime(Plain(member.value), &line->start_ns)) return "a start that is not a time";
    } else if (member.name != "midwire") {
      json.SpeltKey(member.name).Raw(member.value);
      more = true;
    }
  }
  if (version < 1 || version > INT32_MAX) return "a header without a version";
  line->version = static_cast<int>(version);
  json.Close('}');
  if (more) line->bytes = std::move(event);
  if (line->bytes.size() > kMaxSegment) return "a header larger than 64 KiB";
  return nullptr;
}

// One entry of a list in "at": [ns,size] or [ns,size,{...}].
bool ParsePiece(const wire::Json& json, int64_t start_ns, size_t usual_head, Hint usual,
                CassetteSegment* to) {
  using Type = wire::Json::Type;
  if (!json.is(Type::kArray) || json.items.size() < 2 || json.items.size() > 3) return false;
  auto time = json.items[0].Integer(), size = json.items[1].Integer();
  if (!time || !size || *size < 0 || *size > static_cast<int64_t>(kMaxSegment)) return false;
  to->time_ns = Absolute(start_ns, *time);
  to->size = static_cast<size_t>(*size);
  to->head = std::min(usual_head, to->size);
  to->hint = usual;
  if (json.items.size() == 2) return true;
  const wire::Json& odd = json.items[2];
  if (const wire::Json* head = odd.Find("head")) {
    int64_t value = head->Integer().value_or(-1);
    if (value < 0 || value > static_cast<int64_t>(kMaxSegment)) return false;
    to->head = static_cast<size_t>(value);
  }
  if (odd.Find("hint")) to->hint = odd.String("hint") == "text" ? Hint::kText : Hint::kJson;
  const wire::Json* more = odd.Find("more");
  to->more = more != nullptr && more->boolean;
  return true;
}

// The segments in "at"; false if they do not fit the bytes, as after an edit.
bool ParsePieces(std::string_view at, int64_t start_ns, size_t head, Hint usual,
                 CassetteLine* line) {
  // The writer's longest list has kMaxPieces entries of less than 80 bytes.
  if (at.size() > kMaxPieces * 80) return false;
  Result<wire::Json> json = wire::ParseJson(at);
  if (!json || !json->is(wire::Json::Type::kArray)) return false;
  size_t size = 0;
  for (const wire::Json& item : json->items) {
    CassetteSegment& segment = line->segments.emplace_back();
    if (!ParsePiece(item, start_ns, head - std::min(head, size), usual, &segment)) return false;
    // A head may continue in the rest of the record, in another line.
    if (segment.head > segment.size && !segment.more) return false;
    size += segment.size;
  }
  return size == line->bytes.size();
}

// Cuts the bytes into segments: as in "at", or, if that does not fit, as few as possible.
void Segment(std::string_view at, const CassetteClock& clock, Stream stream, size_t head,
             Hint usual, CassetteLine* line) {
  int64_t time = 0;
  if (at.starts_with('[') && ParsePieces(at, clock.start_ns, head, usual, line)) {
    for (CassetteSegment& segment : line->segments) segment.stream = stream;
    return;
  }
  if (!line->segments.empty()) {  // the time of the first segment is still valid
    time = line->segments[0].time_ns;
    line->segments.clear();
  } else if (wire::ParseNumber(at, &time)) {
    time = Absolute(clock.start_ns, time);
  } else {
    time = clock.latest_ns;
  }
  for (size_t done = 0; done < line->bytes.size();) {
    size_t size = std::min(kMaxSegment, line->bytes.size() - done);
    line->segments.push_back({.stream = stream,
                              .hint = usual,
                              .time_ns = time,
                              .size = size,
                              .head = std::min(size, head - std::min(head, done))});
    done += size;
  }
  if (line->bytes.empty()) {
    line->segments.push_back({.stream = stream, .hint = usual, .time_ns = time});
  }
}

const char* ParseEventItem(std::string_view event, CassetteLine* line) {
  if (!wire::DecodeBytesJson(event, &line->bytes)) {
    if (!event.starts_with('{')) return "an event that is neither an object nor base64";
    line->bytes = event;
  }
  return line->bytes.size() > kMaxSegment ? "an event larger than 64 KiB" : nullptr;
}

// Head, body and tail of a framed message. An edited one gets a correct Content-Length.
const char* ParseMessageItem(const Item& item, size_t* head, CassetteLine* line) {
  Framing framing = Framing::kLine;
  if (!item.framing.empty() && !wire::ParseFraming(Plain(item.framing), &framing)) {
    return "an unknown framing";
  }
  std::string body;
  if (item.message.empty() && !wire::DecodeBytesJson(item.body, &body))
    return "a body whose bytes cannot be decoded";
  std::string_view content = item.message.empty() ? std::string_view(body) : item.message;
  if (item.head.empty()) {
    line->bytes = UsualHead(framing, content.size());
  } else if (!wire::DecodeBytesJson(item.head, &line->bytes)) {
    return "a head whose bytes cannot be decoded";
  }
  // In line framing too, a record's head is what precedes the JSON text.
  *head = line->bytes.size();
  line->bytes += content;
  if (item.tail.empty()) {
    line->bytes += UsualTail(framing);
  } else if (!wire::DecodeBytesJson(item.tail, &line->bytes)) {
    return "a tail whose bytes cannot be decoded";
  }
  return nullptr;
}

const char* ParseItem(const std::vector<RawMember>& members, const CassetteClock& clock,
                      CassetteLine* line) {
  Item item;
  int contents = 0;
  bool known = false;
  for (const RawMember& member : members) {
    for (const ItemName& name : kItemNames) {
      if (member.name != name.name) continue;
      contents += name.content && (item.*name.member).empty();
      item.*name.member = member.value;  // of a repeated name the last one counts
      known = true;
    }
  }
  if (!known) return nullptr;
  if (contents != 1)
    return "a line without exactly one of message, body, junk, part, stderr, event";
  line->kind = CassetteLine::Kind::kItem;

  size_t head = 0;
  if (!item.event.empty()) {
    if (const char* reason = ParseEventItem(item.event, line)) return reason;
    Segment(item.at, clock, Stream::kEvents, 0, Hint::kJson, line);
    return nullptr;
  }
  if (!item.stderr_bytes.empty()) {
    if (!wire::DecodeBytesJson(item.stderr_bytes, &line->bytes))
      return "a stderr whose bytes cannot be decoded";
    Segment(item.at, clock, Stream::kStderr, 0, Hint::kText, line);
    return nullptr;
  }
  Stream stream;
  if (Plain(item.from) == NameOfPeer(wire::Direction::kHostToPlugin)) {
    stream = Stream::kHostToPlugin;
  } else if (Plain(item.from) == NameOfPeer(wire::Direction::kPluginToHost)) {
    stream = Stream::kPluginToHost;
  } else {
    return "a line whose \"from\" is neither host nor plugin";
  }
  Hint usual = Hint::kJson;
  if (!item.junk.empty()) {
    usual = Hint::kText;
    if (!wire::DecodeBytesJson(item.junk, &line->bytes))
      return "a junk whose bytes cannot be decoded";
  } else if (!item.part.empty()) {
    if (!wire::DecodeBytesJson(item.part, &line->bytes))
      return "a part whose bytes cannot be decoded";
  } else if (const char* reason = ParseMessageItem(item, &head, line)) {
    return reason;
  }
  Segment(item.at, clock, stream, head, usual, line);
  return nullptr;
}

}  // namespace

const char* ParseCassetteLine(std::string_view text, const CassetteClock& clock,
                              CassetteLine* line) {
  line->kind = CassetteLine::Kind::kUnknown;
  line->start_ns = 0;
  line->bytes.clear();
  line->segments.clear();
  std::vector<RawMember> members;
  if (!wire::RawMembers(text, &members)) return "a line that is not a JSON object";
  bool header = std::any_of(members.begin(), members.end(),
                            [](const RawMember& member) { return member.name == "midwire"; });
  return header ? ParseHeader(members, line) : ParseItem(members, clock, line);
}

}  // namespace midwire::trace
