// The shapes of the latest messages of one direction, by which MessageScanner reads the next one:
// tools are called, and answer, many times. Used by the splitter for readers of traces. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "wire/classify.h"
#include "wire/json_tokens.h"

namespace midwire::wire {

class MessageShapes {
 public:
  // A member that classification reads.
  struct Member {
    Field field = Field::kNone;
    bool in_error = false, container = false;
    uint32_t token = 0;  // of its value
  };
  // A message, and what it has in common with all of its shape.
  struct Known {
    JsonTokens tokens;
    std::vector<Member> members;
  };

  // The message that `text` begins with, if it has a known shape; null: read it into Fresh.
  const Known* Find(std::string_view text);
  // The tokens of a message that is about to be read: they replace those that were used least
  // recently.
  JsonTokens* Fresh();
  // They were read from `text`, and no member of the message has a name with an escape.
  void Keep(std::string_view text);
  // Those of the message that was found or read last.
  const JsonTokens& latest() const { return known_.front()->tokens; }

 private:
  // A failed comparison takes a tenth of the time of reading a message. Ten kinds of messages that
  // take turns are not recognized, a few are.
  static constexpr size_t kMost = 4;
  // After so many messages in turn without a known shape, only some shapes are looked for and kept.
  static constexpr uint32_t kMostMisses = 64, kRest = 16;

  void MoveToFront(size_t place);

  std::array<std::unique_ptr<Known>, kMost> known_;  // the latest first
  uint32_t misses_ = 0;
};

}  // namespace midwire::wire
