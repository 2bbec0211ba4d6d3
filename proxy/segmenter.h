// Cuts one direction's reads into segments: at frame boundaries, with the framing header separate
// from the body, so that dissectors find whole bodies. Used by the recorder. Keeps and delays no
// bytes: bytes that are undecided at the end of a read are recorded as what they probably are.
#pragma once

#include <string>
#include <string_view>

#include "trace/record.h"
#include "wire/splitter.h"

namespace midwire::proxy {

class SegmentHandler {
 public:
  virtual ~SegmentHandler() = default;
  // head + body are the next bytes of the read; views into it.
  virtual void OnSegment(trace::Hint hint, std::string_view head, std::string_view body) = 0;
  // After the last segment of a frame, or of junk.
  virtual void OnBoundary() {}
};

// May change the bytes of one direction before they are recorded, in place and to equal length
// (P8). Called with the splitter's parts in order. Forwarded bytes never change.
class Rewriter {
 public:
  virtual ~Rewriter() = default;
  virtual void OnPart(wire::Part part, char* bytes, size_t size) = 0;
  virtual void OnResolve(wire::Part part, size_t count) = 0;
  virtual void OnEnd() = 0;  // of a frame, or of junk
};

class Segmenter : private wire::SplitHandler {
 public:
  explicit Segmenter(wire::Framing framing, Rewriter* rewriter = nullptr)
      : splitter_(framing, wire::Detail::kBoundaries), rewriter_(rewriter) {}
  // Calls the handler with segments that, concatenated, are the read (rewritten).
  void Feed(std::string_view read, SegmentHandler* handler);
  bool at_boundary() const { return splitter_.at_boundary(); }

 private:
  enum class Guess : uint8_t { kHead, kJson, kText };

  void OnPart(wire::Part part, std::string_view bytes) override;
  void OnResolve(wire::Part part, size_t count) override;
  void OnFrameEnd(const wire::FrameEnd&, const wire::Message&) override { End(trace::Hint::kJson); }
  void OnJunkEnd(wire::JunkReason) override { End(trace::Hint::kText); }
  void End(trace::Hint hint);
  void Decide(wire::Part part, size_t count);
  void Emit(trace::Hint hint);
  void EmitRest();

  wire::Splitter splitter_;
  Rewriter* rewriter_;
  std::string rewritten_;              // a copy of the read, when there is a rewriter
  SegmentHandler* handler_ = nullptr;  // this and the next five: valid during Feed
  std::string_view original_;
  std::string_view read_;         // as recorded
  size_t start_ = 0;              // of the segment, in the read
  size_t head_end_ = 0;           // of its header bytes
  size_t decided_ = 0;            // bytes after this are undecided
  size_t undecided_earlier_ = 0;  // undecided bytes of earlier reads, recorded as guess_
  Guess guess_ = Guess::kText;
};

}  // namespace midwire::proxy
