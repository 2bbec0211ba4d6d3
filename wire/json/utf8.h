// UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. Called wherever text
// from peers is checked, escaped or cut. Never changes text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::wire {

bool IsUtf8(std::string_view text);

// One character of text that may not be UTF-8.
struct Character {
  uint32_t code = 0;   // the code point, or the byte when not valid
  uint8_t length = 1;  // bytes it takes
  bool valid = true;   // false: a byte that is not part of a UTF-8 character
};

// Whether a byte is not the first of its character, in text that is UTF-8.
constexpr bool IsWithinCharacter(char c) { return (static_cast<uint8_t>(c) & 0xc0) == 0x80; }

// The beginning of `text`, at most `most` bytes, without a part of a character at its end.
std::string_view WholeCharacters(std::string_view text, size_t most);
// All of a text that has at most `most` bytes, otherwise that beginning and "...".
std::string Shortened(std::string text, size_t most);

// The first character of `text`, which must not be empty.
Character FirstCharacter(std::string_view text);

// Surrogates, too, become the three bytes that UTF-8 would have for them (as in CESU-8).
void AppendUtf8(char32_t code_point, std::string* out);

// Push check of UTF-8 and of NUL bytes, in any chunking. Used by the decoder on every body; holds
// four bytes of state.
class Utf8Check {
 public:
  void Start() { *this = Utf8Check(); }
  void Feed(std::string_view bytes);
  // Also false when the text ends inside a sequence.
  bool valid() const { return valid_ && missing_ == 0; }
  bool has_nul() const { return has_nul_; }

 private:
  bool valid_ = true, has_nul_ = false;
  uint8_t missing_ = 0;                     // continuation bytes still due
  uint8_t lowest_ = 0x80, highest_ = 0xbf;  // what the next one may be
};

}  // namespace midwire::wire
