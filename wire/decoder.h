// Push decoder: bytes of one direction in, whole frames and junk out, the same for every chunking.
// Zero-copy when a frame lies in one chunk. Frames and junk, concatenated, are the input, except
// that of a frame above keep_bytes only the first keep_bytes are held (size stays true).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/splitter.h"

namespace midwire::wire {

struct Frame {
  std::string_view bytes;     // header, body and terminator as they came; valid during the call
  uint64_t size = 0;          // true size; above bytes.size() when the frame was cut to keep_bytes
  uint64_t body_offset = 0;   // body within the frame, both true sizes
  uint64_t body_size = 0;
  Framing framing = Framing::kLine;
  Oddities oddities = 0;

  bool whole() const { return size == bytes.size(); }
  std::string_view body() const;  // what is held of it
};

struct Junk {
  std::string_view bytes;  // valid during the call; at most kMaxUndecided, or a cut-off frame
  uint64_t size = 0;
  JunkReason reason = JunkReason::kText;
};

class FrameHandler {
 public:
  virtual ~FrameHandler() = default;
  virtual void OnFrame(const Frame& frame, const Message& message) = 0;
  virtual void OnJunk(const Junk& junk) = 0;
};

// What a frame may take in memory by default. Real lines reach 14 MB; 64 MiB leaves room.
inline constexpr size_t kKeepBytes = 64u << 20;

class Decoder : private SplitHandler {
 public:
  explicit Decoder(Framing framing = Framing::kAuto, size_t keep_bytes = kKeepBytes);
  void Feed(std::string_view chunk, FrameHandler* handler);
  void Finish(FrameHandler* handler);  // see Splitter::Finish
  Framing framing() const { return splitter_.framing(); }
  bool at_boundary() const { return splitter_.at_boundary(); }

 private:
  void OnPart(Part part, std::string_view bytes) override;
  void OnResolve(Part part, size_t count) override;
  void OnFrameEnd(const FrameEnd& end, const Message& message) override;
  void OnJunkEnd(JunkReason reason) override;
  Splitter splitter_;
};

}  // namespace midwire::wire
