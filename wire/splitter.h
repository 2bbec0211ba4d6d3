// Push splitter: reports, read by read, which bytes of one direction are header, body, terminator
// or junk, and where frames end. It holds no frame bytes (memory does not grow with a frame), so
// the recorder can cut a read at frame boundaries before anything is forwarded. Decoder builds on
// it.
//
// How a frame starts, at the start of a line:
//   {                     a line frame; after a content-length frame, or where one is expected,
//                         only if the whole line is a JSON-RPC message
//   [{ or [[ or []        a line frame, a batch
//   [ anything else       a line frame if the whole line is JSON, junk if not ("[INFO] ready")
//   Content-*: ...        a header block, ended by an empty line
//   Other-Header: ...CRLF perhaps the first line of a header block
// Everything else is junk, line by line.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "wire/framing.h"
#include "wire/header.h"
#include "wire/message_scanner.h"

namespace midwire::wire {

class JsonTokens;

// kUndecided bytes may become head, body, tail or junk; OnResolve reports which, oldest first.
enum class Part : uint8_t { kUndecided, kHead, kBody, kTail, kJunk };

struct FrameEnd {
  Framing framing;
  Oddities oddities;                   // of the framing; the Decoder adds kInvalidUtf8 and kNulByte
  const JsonTokens* tokens = nullptr;  // see Frame; valid during the call
};

class SplitHandler {
 public:
  virtual ~SplitHandler() = default;
  // The next bytes of the stream; a view into the chunk being fed. All parts of a Feed, in order,
  // concatenate to the chunk. Never kJunk: junk is undecided first.
  virtual void OnPart(Part part, std::string_view bytes) = 0;
  // The oldest `count` undecided bytes are `part` (never kUndecided).
  virtual void OnResolve(Part part, size_t count) = 0;
  // The bytes decided since the last end are one frame. The message is valid during the call.
  virtual void OnFrameEnd(const FrameEnd& end, const Message& message) = 0;
  // The bytes decided since the last end are junk. With kTruncated this includes bytes that were
  // reported as head or body.
  virtual void OnJunkEnd(JunkReason reason) = 0;
};

// kBoundaries: messages are not needed (they stay empty), so a plain line or a body of known length
// is not scanned. The cut is the same except for lines that are not JSON-RPC anyway ("{},{}").
// kTokens: messages, and their tokens, from the same pass over their bytes.
enum class Detail : uint8_t { kMessages, kBoundaries, kTokens };

class Splitter {
 public:
  explicit Splitter(Framing framing = Framing::kAuto, Detail detail = Detail::kMessages);
  ~Splitter();

  void Feed(std::string_view chunk, SplitHandler* handler);
  // End of stream, or a gap in it: what is pending becomes a last frame or junk. A later Feed
  // starts over, with the framing that was detected.
  void Finish(SplitHandler* handler);

  // What the stream probably has, until a frame shows it: a JSON text on a line is then no line
  // frame without being a message. Call it before the first Feed.
  void Expect(Framing framing) { expected_ = framing; }

  // kAuto until a frame has shown the framing, if none is expected.
  Framing framing() const {
    if (forced_ != Framing::kAuto) return forced_;
    return learnt_ != Framing::kAuto ? learnt_ : expected_;
  }
  // True where a frame may start: nothing is pending.
  bool at_boundary() const { return state_ == State::kSeek && pending_.empty(); }
  // The same, and the next byte does not continue a line that began as junk: with the framing
  // forced, it is read as at the start of the stream.
  bool at_line_start() const { return at_boundary() && !middle_; }
  // The bytes that are undecided. At the end of a frame whose length was too long, they begin the
  // next one.
  std::string_view pending() const { return pending_; }

 private:
  enum class State : uint8_t {
    kSeek,        // between frames; pending_ holds the line or header block so far
    kLineBody,    // inside the JSON text of a line frame
    kLineAfter,   // after it, before the newline; pending_ holds blanks
    kLengthBody,  // inside a body of known length
  };

  bool lines() const { return framing() != Framing::kContentLength; }
  bool headers() const { return forced_ != Framing::kLine; }

  size_t Seek(std::string_view rest);
  size_t WholeLine(std::string_view rest);
  size_t WholeObject(std::string_view bytes);
  size_t UsualHeader(std::string_view rest);
  size_t SeekFirst(std::string_view rest);
  size_t SeekLine(std::string_view rest);
  void EndLine();
  void Resynchronise(size_t at, bool lf_only);
  void EndHeaderBlock();
  void StartLengthBody(uint64_t length);
  bool EndArrayLine();
  bool EndMessageLine();
  void EndWholeLine(size_t from, size_t to);
  void Overflow();
  size_t LineBody(std::string_view rest);
  size_t LineAfter(std::string_view rest);
  size_t LengthBody(std::string_view rest);
  size_t CountedHeader(std::string_view rest);
  size_t StartOfHeader(std::string_view rest) const;
  void Body(std::string_view bytes, bool whole = false);

  void StartLineFrame();
  void NoteTail(std::string_view tail);
  void Undecided(std::string_view bytes);
  void Resolve(Part part, size_t count);
  void Junk(size_t count, JunkReason reason);
  JunkReason PendingReason() const;
  void EndFrame(Framing framing);

  const Framing forced_;
  const Detail detail_;
  Framing learnt_ = Framing::kAuto;
  Framing expected_ = Framing::kAuto;
  State state_ = State::kSeek;
  SplitHandler* handler_ = nullptr;  // during Feed and Finish

  std::string pending_;    // undecided bytes, at most kMaxUndecided
  size_t line_start_ = 0;  // of the line being read, in pending_
  bool middle_ = false;    // that line began as junk: only a header may start in it
  bool text_ = false;      // that line has begun with something that starts no frame
  HeaderBlock header_;
  uint64_t remaining_ = 0;  // of a body of known length
  char last_ = '\0';        // its last byte so far
  Oddities oddities_ = 0;   // of the frame being read
  MessageScanner scanner_;
  std::unique_ptr<MessageShapes> shapes_;  // of kTokens
  bool tokens_known_ = false;              // of the frame being read
};

}  // namespace midwire::wire
