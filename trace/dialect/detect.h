// Detects the dialect of a session from its first messages: collects them, then compares them with
// each candidate. Called by `midwire check` without --dialect. Pure; does not load dialects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/session.h"
#include "wire/dialect/dialect.h"

namespace midwire::trace {

// The first messages of a session.
class Opening : public SessionHandler {
 public:
  // Messages that are collected: every known handshake ends within ten.
  static constexpr size_t kMessages = 64;

  // A request or a notification.
  struct Call {
    std::string method;
    wire::Direction direction;
    bool request;
    bool versioned;  // it has "jsonrpc"
    bool dap;
  };

  void OnMessage(const RecordedMessage& message) override;
  void OnElement(const RecordedMessage& element) override;
  bool full() const { return messages_ >= kMessages; }

  const std::vector<Call>& calls() const { return calls_; }
  // Whether any frame had this framing.
  bool framed(wire::Framing framing) const { return framings_ >> static_cast<int>(framing) & 1; }

 private:
  std::vector<Call> calls_;
  size_t messages_ = 0;
  uint32_t framings_ = 0;
};

// The candidate that fits best, of those that have a "detect" method among the calls and that allow
// the framing: the one that knows most of the calls (sent by the right party, as the right kind,
// with or without a version as it requires), then the one that extends most others, then the first
// by name. nullptr: none, or most methods are not its own.
const wire::Dialect* Detect(const Opening& opening, const std::vector<wire::Dialect>& candidates);

}  // namespace midwire::trace
