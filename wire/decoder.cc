#include "wire/decoder.h"

#include <algorithm>

namespace midwire::wire {

std::string_view Frame::body() const {
  if (body_offset >= bytes.size()) return {};
  return bytes.substr(body_offset, body_size);
}

std::string_view Frame::tail() const {
  const uint64_t from = body_offset + body_size;
  return from >= bytes.size() ? std::string_view() : bytes.substr(from);
}

void Decoder::Feed(std::string_view chunk, FrameHandler* handler) {
  handler_ = handler;
  run_ = {};
  splitter_.Feed(chunk, this);
  Hold(run_);
  run_ = {};
}

void Decoder::Finish(FrameHandler* handler) {
  handler_ = handler;
  splitter_.Finish(this);
  Drop(earlier_);
}

void Decoder::OnPart(Part part, std::string_view bytes) {
  run_ = run_.empty() ? bytes : std::string_view(run_.data(), run_.size() + bytes.size());
  if (part == Part::kUndecided) return;
  if (part == Part::kBody) text_.Feed(bytes);
  Decide(part, bytes.size());
}

void Decoder::OnResolve(Part part, size_t count) {
  if (part == Part::kBody) {
    // Only short starts of an array are ever resolved to body, so held_ has all of them.
    std::string start = held_;
    start.append(run_);
    if (decided_ + count <= start.size()) text_.Feed({start.data() + decided_, count});
  }
  Decide(part, count);
}

void Decoder::Decide(Part part, size_t count) {
  if (part == Part::kHead) head_ += count;
  if (part == Part::kBody) body_ += count;
  decided_ += count;
}

void Decoder::OnFrameEnd(const FrameEnd& end, const Message& message) {
  Frame frame;
  frame.size = decided_;
  frame.body_offset = head_;
  frame.body_size = body_;
  frame.framing = end.framing;
  frame.oddities = end.oddities;
  frame.tokens = end.tokens;
  if (!text_.valid()) frame.oddities |= kInvalidUtf8;
  if (text_.has_nul()) frame.oddities |= kNulByte;
  frame.bytes = Take(decided_);
  handler_->OnFrame(frame, message);
  Drop(decided_);
}

void Decoder::OnJunkEnd(JunkReason reason) {
  handler_->OnJunk({Take(decided_), decided_, reason});
  Drop(decided_);
}

// The first `size` bytes since the last end, or the part of them that is held.
std::string_view Decoder::Take(uint64_t size) {
  if (earlier_ == 0) return run_.substr(0, std::min<uint64_t>(size, keep_bytes_ ? size : 0));
  if (size > earlier_) {
    const std::string_view more = run_.substr(0, size - earlier_);
    Hold(more);
    run_.remove_prefix(more.size());
  }
  return std::string_view(held_).substr(0, size);
}

// Drops them and starts over after them.
void Decoder::Drop(uint64_t size) {
  const uint64_t from_held = std::min(size, earlier_);
  held_.erase(0, from_held);
  earlier_ -= from_held;
  // What came after a frame that was too long to be held: its length counts the start of the next
  // one.
  if (held_.size() < earlier_)
    held_ = splitter_.pending().substr(0, std::min<uint64_t>(earlier_, keep_bytes_));
  run_.remove_prefix(std::min<uint64_t>(size - from_held, run_.size()));
  head_ = body_ = decided_ = 0;
  text_.Start();
}

void Decoder::Hold(std::string_view bytes) {
  earlier_ += bytes.size();
  const size_t room = keep_bytes_ - std::min(keep_bytes_, held_.size());
  held_.append(bytes.substr(0, room));
}

}  // namespace midwire::wire
