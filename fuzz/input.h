// What a fuzz run says to its peer: one direction of a session, as wire bytes, cut into parts by
// the decoder that cuts everything else. A corpus file is such bytes and nothing more, so any tool
// may make or cut one. Mutators change parts; a part that none has touched keeps its bytes exactly.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "wire/framing.h"

namespace midwire::fuzz {

// One frame, or junk: then framing is kAuto, and all of it is body.
struct Part {
  std::string bytes;  // head, body, tail
  size_t head = 0, tail = 0;
  wire::Framing framing = wire::Framing::kAuto;

  bool junk() const { return framing == wire::Framing::kAuto; }
  std::string_view body() const {
    return std::string_view(bytes).substr(head, bytes.size() - head - tail);
  }
  // Another body in the same frame: the length in its header becomes the new one, where the header
  // has one; a line keeps its end. The bytes are not looked at: a newline in a line's body breaks
  // the line, as it would on the wire.
  void SetBody(std::string_view body);
  // All of it anew; what it is is no longer known, so it counts as junk until it is parsed again.
  void SetBytes(std::string bytes);
};
// A frame of its own around a body: `Content-Length: N` and an empty line, or a newline after it.
Part Framed(std::string_view body, wire::Framing framing);

// Parts of one input at most; the rest stays together in the last, as junk. A session that is worth
// mutating is far shorter, and each part costs an allocation.
inline constexpr size_t kMaxParts = 4096;
// Of a life that is played and made smaller, which has all that one process was told. 64 MiB of
// messages that are no shorter than any that means something have fewer.
inline constexpr size_t kMaxLifeParts = 1u << 20;

struct Input {
  std::vector<Part> parts;

  size_t size() const;  // in bytes
  std::string Bytes() const;
  // How its frames are framed: as its first one, a line for an input without any.
  wire::Framing framing() const;
};
// Concatenated, the parts are `bytes` again, whatever they are.
Input ParseInput(std::string_view bytes, wire::Framing framing = wire::Framing::kAuto,
                 size_t max_parts = kMaxParts);

}  // namespace midwire::fuzz
