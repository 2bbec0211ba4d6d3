// Push decoder: bytes of one direction in, whole frames and junk out, the same for any chunking.
// Zero-copy when a frame lies in one chunk. Frames and junk concatenate to the input, except that
// only the first keep_bytes of a larger frame are held (its size stays true). Used by trace/,
// replay/ and fuzz/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/json/utf8.h"
#include "wire/splitter.h"

namespace midwire::wire {

struct Frame {
  std::string_view bytes;    // header, body and terminator as received; valid during the call
  uint64_t size = 0;         // true size; above bytes.size() when the frame was cut to keep_bytes
  uint64_t body_offset = 0;  // where the body begins in the whole frame
  uint64_t body_size = 0;
  Framing framing = Framing::kLine;
  Oddities oddities = 0;
  // With Detail::kTokens, of an object that is loose JSON and came in one chunk: the tokens of the
  // body, from its first byte on. Bytes may follow the object there. Otherwise null.
  const JsonTokens* tokens = nullptr;

  bool whole() const { return size == bytes.size(); }
  // The parts of `bytes`; short if the frame was cut.
  std::string_view head() const { return bytes.substr(0, body_offset); }
  std::string_view body() const;
  std::string_view tail() const;
};

struct Junk {
  std::string_view bytes;  // valid during the call; cut to keep_bytes like a frame
  uint64_t size = 0;
  JunkReason reason = JunkReason::kText;
};

class FrameHandler {
 public:
  virtual ~FrameHandler() = default;
  virtual void OnFrame(const Frame& frame, const Message& message) = 0;
  virtual void OnJunk(const Junk& junk) = 0;
};

// How much of a frame is held by default. Real lines reach 14 MB; 64 MiB leaves room.
inline constexpr size_t kKeepBytes = 64u << 20;

class Decoder : private SplitHandler {
 public:
  // keep_bytes: 0 (only sizes and messages matter, no byte is held) or at least kMaxUndecided.
  // detail: see Splitter.
  explicit Decoder(Framing framing = Framing::kAuto, size_t keep_bytes = kKeepBytes,
                   Detail detail = Detail::kMessages)
      : splitter_(framing, detail), keep_bytes_(keep_bytes) {}

  void Feed(std::string_view chunk, FrameHandler* handler);
  void Finish(FrameHandler* handler);  // see Splitter::Finish

  void Expect(Framing framing) { splitter_.Expect(framing); }  // see Splitter
  Framing framing() const { return splitter_.framing(); }
  bool at_boundary() const { return splitter_.at_boundary(); }
  bool at_line_start() const { return splitter_.at_line_start(); }  // see Splitter
  // The part received so far of a frame or junk that has not ended; at most keep_bytes.
  std::string_view pending() const { return held_; }

 private:
  void OnPart(Part part, std::string_view bytes) override;
  void OnResolve(Part part, size_t count) override;
  void OnFrameEnd(const FrameEnd& end, const Message& message) override;
  void OnJunkEnd(JunkReason reason) override;

  void Decide(Part part, size_t count);
  std::string_view Take(uint64_t size);
  void Drop(uint64_t size);
  void Hold(std::string_view bytes);

  Splitter splitter_;
  const size_t keep_bytes_;
  FrameHandler* handler_ = nullptr;  // during Feed and Finish

  // The bytes since the last end: held_, from earlier chunks (at most keep_bytes_), then run_, a
  // view into the chunk being fed. earlier_ is the true size of what came in earlier chunks.
  std::string held_;
  std::string_view run_;
  uint64_t earlier_ = 0;
  uint64_t head_ = 0, body_ = 0, decided_ = 0;  // true sizes since the last end
  Utf8Check text_;
};

}  // namespace midwire::wire
