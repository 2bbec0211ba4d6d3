#include "trace/import/conversation.h"

#include <algorithm>
#include <utility>

#include "trace/event.h"

namespace midwire::trace::import {
namespace {

// Blanks between tokens are left out from texts of several lines only: other texts stay as they
// are.
std::string OnOneLine(std::string_view json) {
  if (json.find_first_of("\r\n") == json.npos) return std::string(json);
  std::string line;
  bool in_string = false, escaped = false;
  for (const char c : json) {
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (in_string || !blank) line += c;
    if (c == '"' && !escaped) in_string = !in_string;
    escaped = in_string && c == '\\' && !escaped;
  }
  return line;
}

}  // namespace

void Conversation::Add(Item item) {
  held_ += item.bytes.size();
  if (held_ > kMaxHeld) {
    held_ -= item.bytes.size();
    if (item.stream != Stream::kStderr) --messages_;
    if (unread_++ == 0) first_unread_ = "more than 1 GiB of messages";
    return;
  }
  has_times_ = has_times_ || item.time.has_value();
  items_.push_back(std::move(item));
}

void Conversation::Message(wire::Direction from, std::string_view json, Time time) {
  ++messages_;
  Add({StreamOf(from), false, OnOneLine(json), time});
}

void Conversation::Bytes(Stream stream, std::string_view bytes, Time time) {
  if (stream != Stream::kStderr) ++messages_;
  Add({stream, true, std::string(bytes), time});
}

void Conversation::Unread(size_t line, std::string_view reason) {
  if (unread_++ == 0) first_unread_ = "line " + std::to_string(line) + ": " + std::string(reason);
}

Status Conversation::Write(std::string_view note, wire::Framing framing,
                           TraceWriter* writer) const {
  int64_t time = 0;
  const auto timed = std::find_if(items_.begin(), items_.end(),
                                  [](const Item& item) { return item.time.has_value(); });
  if (timed != items_.end()) time = *timed->time;
  const std::string event = ToJson(NoteEvent{std::string(note)});
  Status status = writer->OnRecord({.stream = Stream::kEvents, .time_ns = time, .body = event});
  for (const Item& item : items_) {
    time = item.time.value_or(time);
    std::string_view rest = item.bytes;
    std::string head, line;
    if (!item.framed && framing == wire::Framing::kContentLength) {
      head = "Content-Length: " + std::to_string(rest.size()) + "\r\n\r\n";
    } else if (!item.framed) {
      line = item.bytes + "\n";
      rest = line;
    }
    const Hint hint = item.stream == Stream::kStderr ? Hint::kText : Hint::kJson;
    do {
      if (!status) return status;
      const std::string_view body = rest.substr(0, kMaxSegment - head.size());
      status = writer->OnRecord({item.stream, hint, time, head, body});
      rest.remove_prefix(body.size());
      head.clear();
    } while (!rest.empty());
  }
  if (!status) return status;
  return writer->OnEnd();
}

}  // namespace midwire::trace::import
