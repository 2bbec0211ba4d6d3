// Push check of UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF) and of
// NUL bytes, in any chunking. Used by the decoder on every body; holds four bytes of state.
#pragma once

#include <cstdint>
#include <string_view>

namespace midwire::wire {

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
