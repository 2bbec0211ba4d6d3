// The decoder's first property, under libFuzzer: frames and junk concatenate to the input, and do
// not depend on the chunking.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire/decoder.h"

namespace {

using midwire::wire::Decoder;
using midwire::wire::Frame;
using midwire::wire::Framing;
using midwire::wire::Junk;
using midwire::wire::Message;

struct Piece {
  bool frame;
  std::string bytes;
  uint64_t body_offset, body_size;
  uint32_t oddities;
  Message message;

  bool operator==(const Piece& other) const {
    return frame == other.frame && bytes == other.bytes && body_offset == other.body_offset &&
           body_size == other.body_size && oddities == other.oddities &&
           message.kind == other.message.kind && message.flags == other.message.flags &&
           message.id == other.message.id && message.method == other.message.method;
  }
};

struct Collector : midwire::wire::FrameHandler {
  void OnFrame(const Frame& frame, const Message& message) override {
    pieces.push_back({true, std::string(frame.bytes), frame.body_offset, frame.body_size,
                      frame.oddities, message});
  }
  void OnJunk(const Junk& junk) override {
    pieces.push_back({false, std::string(junk.bytes), 0, 0, uint32_t(junk.reason), Message()});
  }
  std::vector<Piece> pieces;
};

// Chunks of pseudo-random sizes from 1 to `longest`, the same for the same seed.
std::vector<Piece> Decode(std::string_view stream, Framing framing, size_t longest, uint32_t seed) {
  Decoder decoder(framing);
  Collector collector;
  while (!stream.empty()) {
    seed = seed * 1664525 + 1013904223;
    const size_t size = 1 + (seed >> 8) % longest;
    decoder.Feed(stream.substr(0, size), &collector);
    stream.remove_prefix(std::min(size, stream.size()));
  }
  decoder.Finish(&collector);
  return collector.pieces;
}

void Require(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const Framing framing = static_cast<Framing>(data[0] % 3);
  const std::string_view stream(reinterpret_cast<const char*>(data + 2), size - 2);

  Decoder decoder(framing);
  Collector whole;
  if (!stream.empty()) decoder.Feed(stream, &whole);
  decoder.Finish(&whole);

  std::string joined;
  for (const Piece& piece : whole.pieces) {
    joined += piece.bytes;
    Require(piece.body_offset + piece.body_size <= piece.bytes.size() || !piece.frame);
  }
  Require(joined == stream);
  Require(Decode(stream, framing, 1, 0) == whole.pieces);
  Require(Decode(stream, framing, 9, data[1]) == whole.pieces);
  return 0;
}
