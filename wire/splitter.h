// Push splitter: tells, read by read, which bytes of one direction are header, body, terminator or
// junk, and where frames end. It holds no frame bytes (memory does not grow with a frame), so the
// recorder can cut a read at frame boundaries before anything is forwarded. Decoder builds on it.
#pragma once

#include <string>
#include <string_view>

#include "wire/framing.h"
#include "wire/json_scanner.h"

namespace midwire::wire {

// kUndecided bytes may still turn out head, body or junk; Resolve says which, oldest first.
enum class Part : uint8_t { kUndecided, kHead, kBody, kTail, kJunk };

struct FrameEnd {
  Framing framing;
  Oddities oddities;  // of the framing; kInvalidUtf8 and kNulByte are the Decoder's to add
};

class SplitHandler {
 public:
  virtual ~SplitHandler() = default;
  // The next bytes of the stream; a view into the chunk being fed. All parts of a Feed, in order,
  // concatenate to the chunk.
  virtual void OnPart(Part part, std::string_view bytes) = 0;
  // The oldest `count` undecided bytes are `part` (never kUndecided).
  virtual void OnResolve(Part part, size_t count) = 0;
  // Everything since the last end was one frame. The message is valid during the call.
  virtual void OnFrameEnd(const FrameEnd& end, const Message& message) = 0;
  // Everything since the last end was junk.
  virtual void OnJunkEnd(JunkReason reason) = 0;
};

class Splitter {
 public:
  explicit Splitter(Framing framing = Framing::kAuto);
  void Feed(std::string_view chunk, SplitHandler* handler);
  // End of stream, or a gap in it: what is pending becomes a last frame or junk; a later Feed starts
  // afresh (the framing that was learnt is kept).
  void Finish(SplitHandler* handler);
  // kAuto until a frame has shown which it is.
  Framing framing() const;
  // True where a frame may start: nothing is pending.
  bool at_boundary() const;
};

}  // namespace midwire::wire
