// What a fuzz run sends to its peer: one direction of a session, as wire bytes, divided into parts
// by wire/decoder. A corpus file holds these bytes and nothing else, so any tool can make or cut
// one. Mutators change parts; an unchanged part keeps its bytes exactly. Used in all of fuzz/.
// Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "wire/framing.h"

namespace midwire::fuzz {

// One frame, or junk. Junk has framing kAuto and no head or tail.
struct Part {
  std::string bytes;  // head, body, tail
  size_t head = 0, tail = 0;
  wire::Framing framing = wire::Framing::kAuto;

  bool junk() const { return framing == wire::Framing::kAuto; }
  std::string_view body() const {
    return std::string_view(bytes).substr(head, bytes.size() - head - tail);
  }
  // Puts another body into the same frame. A length in the header is updated, a line keeps its end.
  // The bytes are not checked: a newline in a line's body splits the line, as it would on the wire.
  void SetBody(std::string_view body);
  // Replaces the whole part, which is junk until it is parsed again.
  void SetBytes(std::string bytes);
  // Becomes a new frame around a body, which is no view of this part: `Content-Length: N` and an
  // empty line before it, or a newline after it.
  void SetFrame(std::string_view body, wire::Framing framing);
};
// A part with SetFrame.
Part Framed(std::string_view body, wire::Framing framing);

// Maximum number of parts in an input; the rest stays in the last part, as junk. A session that is
// worth mutating is far shorter, and each part costs an allocation.
inline constexpr size_t kMaxParts = 4096;
// The same for a case that is replayed and reduced, which has all that one process received. 64 MiB
// of messages with any content have fewer.
inline constexpr size_t kMaxLifeParts = 1u << 20;

struct Input {
  std::vector<Part> parts;

  size_t size() const;  // in bytes
  std::string Bytes() const;
  // The framing of the first frame; kLine if there is none.
  wire::Framing framing() const;
};
// For any `bytes`, the concatenated parts are equal to them.
Input ParseInput(std::string_view bytes, wire::Framing framing = wire::Framing::kAuto,
                 size_t max_parts = kMaxParts);
// The same into *input, whose memory is used again: for what is done in each run.
void ParseInput(std::string_view bytes, Input* input);

}  // namespace midwire::fuzz
