// Cuts a text into what varies as a whole: times, durations, UUIDs, words. Called by template_of.cc
// and lasting.cc. Pure.
#pragma once

#include <string_view>
#include <vector>

namespace midwire::replay {

enum class TokenKind : unsigned char {
  kTime,
  kClock,  // "11:54": a time, or a ratio, or a line and a column
  kUuid,
  kDuration,  // of several numbers: "37m14s", "0:37:14"
  kWord,      // a run of letters and digits; 1.5 and 1.5ms
  kOther,     // one other byte
};
struct TextToken {
  TokenKind kind;
  std::string_view text;
};

// `times`: false: words and other bytes in place of times.
std::vector<TextToken> CutText(std::string_view text, bool times);

}  // namespace midwire::replay
