#include "trace/import/conversation_reader.h"

#include <algorithm>

#include "trace/event.h"

namespace midwire::trace::import {

ConversationReader::ConversationReader(const Conversation* conversation, std::string_view note,
                                       wire::Framing framing)
    : conversation_(conversation), framing_(framing), event_(ToJson(NoteEvent{std::string(note)})) {
  const auto& items = conversation->items();
  const auto timed = std::find_if(items.begin(), items.end(), [](const Conversation::Item& item) {
    return item.time.has_value();
  });
  if (timed != items.end()) time_ns_ = *timed->time;
}

void ConversationReader::Begin(const Conversation::Item& item) {
  stream_ = item.stream;
  time_ns_ = item.time.value_or(time_ns_);
  rest_ = item.bytes;
  head_.clear();
  if (item.framed) return;
  if (framing_ == wire::Framing::kContentLength) {
    head_ = "Content-Length: " + std::to_string(rest_.size()) + "\r\n\r\n";
  } else {
    line_ = item.bytes + "\n";
    rest_ = line_;
  }
}

Result<Step> ConversationReader::Next(Record* record) {
  if (!noted_) {
    noted_ = true;
    *record = {.stream = Stream::kEvents, .time_ns = time_ns_, .body = event_};
    return Step::kRecord;
  }
  if (!rest_.empty()) {
    head_.clear();  // was in the first segment
  } else if (next_ < conversation_->items().size()) {
    Begin(conversation_->items()[next_++]);
  } else {
    return Step::kWait;
  }
  *record = {stream_, stream_ == Stream::kStderr ? Hint::kText : Hint::kJson, time_ns_, head_, {}};
  record->body = rest_.substr(0, kMaxSegment - record->head.size());
  rest_.remove_prefix(record->body.size());
  return Step::kRecord;
}

}  // namespace midwire::trace::import
