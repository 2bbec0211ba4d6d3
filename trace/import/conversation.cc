#include "trace/import/conversation.h"

#include <utility>

#include "trace/event.h"
#include "trace/import/conversation_reader.h"

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
    if (item.stream <= Stream::kPluginToHost) --messages_;
    if (item.stream == Stream::kEvents) return;  // the message is counted already
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
  const std::string where = "line " + std::to_string(line) + ": " + std::string(reason);
  if (unread_++ == 0) first_unread_ = where;
  Gap("of the log, " + where);
}

// Several in a row are one.
void Conversation::Gap(const std::string& reason) {
  if (!items_.empty() && items_.back().stream == Stream::kEvents) return;
  Add({Stream::kEvents, true, ToJson(GapEvent{0, reason}), std::nullopt});
}

Status Conversation::Write(std::string_view note, wire::Framing framing,
                           TraceWriter* writer) const {
  ConversationReader reader(this, note, framing);
  Record record;
  while (true) {
    const Result<Step> step = reader.Next(&record);
    if (!step) return step.error();
    if (*step == Step::kWait) return writer->OnEnd();
    if (Status written = writer->OnRecord(record); !written) return written;
  }
}

}  // namespace midwire::trace::import
