// Detects the dialect of a session from its first messages: collects them, then scores the methods,
// the framing and the handshake of each candidate. Called by all commands that work with a dialect
// and got no --dialect. Pure; does not load dialects. Never looks at rules or schemas, so a session
// that breaks its protocol is detected like any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/dialect/outline.h"
#include "trace/session.h"

namespace midwire::trace {

// The first messages of a session.
class Opening : public SessionHandler {
 public:
  // Messages that are collected: every known handshake ends within ten.
  static constexpr size_t kMessages = 64;
  // Bodies that are kept for their handshake, and the size up to which they are.
  static constexpr size_t kBodies = 4, kMaxBody = 64 * 1024;

  // A request or a notification.
  struct Call {
    std::string method;
    wire::Direction direction;
    bool request;
    bool versioned;  // it has "jsonrpc"
    bool dap;
    std::string body;  // loose JSON; "" where it is not kept
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

struct Detection {
  enum class Sureness : uint8_t { kNone, kGuess, kLikely, kCertain };

  const DialectOutline* dialect = nullptr;  // null: none fits
  Sureness sureness = Sureness::kNone;
  size_t calls = 0, known = 0;              // calls of the opening, and those that the dialect has
  bool framing = false, handshake = false;  // whether these are the dialect's
  const DialectOutline* second = nullptr;   // the next best one that fits; null: none

  // Of the dialect, or of the plain protocol where none fits.
  std::string name() const { return dialect != nullptr ? dialect->name : kPlain; }
  // "certain", "likely", "a guess"; "": no dialect fits.
  std::string_view SurenessText() const;
  // "mcp (certain: 24 of 24 calls, framing, handshake)": what was chosen, and how sure it is.
  std::string Text() const;

  static constexpr char kPlain[] = "json-rpc-2.0";
};

// The candidate that fits best, of those that have a "detect" method among the calls. It has most
// points; of several, it is the one that extends most others, then the first by name. No candidate,
// if most methods of the calls are unknown to it and not shared with others, unless its whole
// handshake was seen. The candidates outlive the answer.
Detection Detect(const Opening& opening, const std::vector<DialectOutline>& candidates);

}  // namespace midwire::trace
