// A conversation as the records of a trace, so that what reads traces reads logs too. A note event
// comes first. Items before the first time have that time, others without one the time before them.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "trace/import/conversation.h"
#include "trace/reader.h"

namespace midwire::trace::import {

class ConversationReader : public TraceReader {
 public:
  // `note`: what the log is and lacks. `framing`: of messages without one of their own. The
  // conversation must outlive the reader.
  ConversationReader(const Conversation* conversation, std::string_view note,
                     wire::Framing framing);
  // Segments as they are in traces: the header of a frame is in the first one.
  Result<Step> Next(Record* record) override;
  const Damage& damage() const override { return none_; }
  uint64_t torn_bytes() const override { return 0; }
  uint64_t damaged_bytes() const override { return 0; }

 private:
  void Begin(const Conversation::Item& item);

  const Conversation* conversation_;
  const wire::Framing framing_;
  const Damage none_;
  const std::string event_;
  bool noted_ = false;
  size_t next_ = 0;  // item
  int64_t time_ns_ = 0;
  // Of the present item: what comes before its bytes and behind them, and what is left of it.
  Stream stream_ = Stream::kEvents;
  std::string head_, line_;
  std::string_view rest_;
};

}  // namespace midwire::trace::import
