// Reads one header block of content-length framing (LSP base protocol, "Header Part"), line by
// line. Called by the splitter; keeps the meaning of the lines, not their text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "wire/framing.h"

namespace midwire::wire {

enum class HeaderLine : uint8_t {
  kContent,  // Content-Length or another Content-* header: the block is a header block
  kOther,    // some other `name: value` line
  kNone,     // no header line at all
};

class HeaderBlock {
 public:
  void Start() { *this = HeaderBlock(); }

  // One line without its line feed (and carriage return); lf_only: there was no carriage return.
  // kNone and, outside a header block, kOther with lf_only leave the block unchanged: log lines
  // look like that ("INFO: ready").
  HeaderLine Add(std::string_view line, bool lf_only);

  bool empty() const { return !content_ && !other_; }
  bool has_content() const { return content_; }
  // True if the block gives one usable length. Different lengths, signs, letters, an empty value
  // and anything above kMaxBody are not usable: peers interpret them differently, so no guess is
  // right.
  bool usable() const { return lengths_ > 0 && !bad_; }
  uint64_t length() const { return length_; }
  Oddities oddities() const { return oddities_; }

 private:
  void AddLength(std::string_view value);
  bool content_ = false, other_ = false, bad_ = false;
  int lengths_ = 0;
  uint64_t length_ = 0;
  Oddities oddities_ = 0;
};

// The position of "Content-Length:" (any case) in `line`, or npos. To resynchronise when a header
// follows without a line break: after junk, or after the rest of a body whose length was too small.
// The end of a longer name (X-Content-Length) does not match.
size_t FindLengthHeader(std::string_view line);
inline constexpr std::string_view kLengthHeader = "content-length:";

}  // namespace midwire::wire
