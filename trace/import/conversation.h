// What was read from a log: messages and stderr in the log's order, and what could not be read. The
// readers of formats fill it; Write and ConversationReader make records of it. Holds the whole
// conversation, because the first time and the framing are known only at the end. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/record.h"
#include "trace/writer.h"
#include "wire/exchange.h"
#include "wire/framing.h"

namespace midwire::trace::import {

using Time = std::optional<int64_t>;  // Unix time, nanoseconds

class Conversation {
 public:
  // A JSON text. It is framed when it is written. On one line: line ends and indents between its
  // tokens are left out, because a line frame cannot hold them.
  void Message(wire::Direction from, std::string_view json, Time time);
  // Bytes of a stream as they were, with their framing, or a piece of stderr.
  void Bytes(Stream stream, std::string_view bytes, Time time = std::nullopt);
  // A line that has to be a message, and is not readable as one. It becomes a gap in the trace, so
  // that what is missing is not taken for a fault of a party.
  void Unread(size_t line, std::string_view reason);
  // A line that is no message: what programs log beside messages.
  void LeaveOut() { ++left_out_; }
  // A message whose params or result the log does not have: it was rebuilt without.
  void Bare() { ++bare_; }

  // A message or a piece of stderr whose time cannot be read.
  void Undated() { ++undated_; }

  uint64_t messages() const { return messages_; }
  uint64_t left_out() const { return left_out_; }
  uint64_t bare() const { return bare_; }
  uint64_t unread() const { return unread_; }
  uint64_t undated() const { return undated_; }
  // "line 7: not a complete JSON text", of the first.
  const std::string& first_unread() const { return first_unread_; }
  bool has_times() const { return has_times_; }

  struct Item {
    Stream stream;  // kEvents: the bytes are an event
    bool framed;
    std::string bytes;
    Time time;
  };
  const std::vector<Item>& items() const { return items_; }
  // All records that ConversationReader returns.
  Status Write(std::string_view note, wire::Framing framing, TraceWriter* writer) const;

 private:
  void Add(Item item);
  void Gap(const std::string& reason);

  // Lua tables that a log prints once and names again may make it longer than it is.
  static constexpr size_t kMaxHeld = size_t{1} << 30;

  size_t held_ = 0;
  std::vector<Item> items_;
  uint64_t messages_ = 0, left_out_ = 0, bare_ = 0, unread_ = 0, undated_ = 0;
  std::string first_unread_;
  bool has_times_ = false;
};

}  // namespace midwire::trace::import
