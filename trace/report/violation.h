// A violation of a protocol: computed by check/, printed by view/. Plain data; holds no part of the
// trace except the values to show.
#pragma once

#include <cstdint>
#include <string>

#include "wire/dialect/dialect.h"
#include "wire/message.h"

namespace midwire::trace {

struct Violation {
  std::string rule;    // "answer.once", or the id of a rule of the dialect
  std::string clause;  // of the protocol's text; may be empty
  wire::Severity severity = wire::Severity::kMust;
  uint64_t session = 1;  // number of the session in the trace
  uint64_t frame = 0;    // number of the message; 0: none
  uint64_t line = 0;     // of the cassette, where the message or junk ends; 0: none, or a tape
  wire::Direction direction = wire::Direction::kPluginToHost;
  wire::Kind kind = wire::Kind::kInvalid;
  std::string method;   // an answer has its request's
  std::string pointer;  // into the message; "" is the whole
  std::string item;     // what names the item of an array that the pointer leads into (ItemName)
  std::string expected, got;
  std::string text;  // one sentence
  // It explains violations that follow from it: it is listed before them, at the session's start.
  bool leads = false;
  // A note about what midwire did not check: no party is at fault.
  bool unchecked = false;
};

// A rule that a trace was checked against.
struct CheckedRule {
  std::string id, clause, text;
};

}  // namespace midwire::trace
