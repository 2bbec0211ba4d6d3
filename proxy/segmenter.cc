#include "proxy/segmenter.h"

#include <strings.h>

#include <algorithm>

namespace midwire::proxy {
namespace {

constexpr std::string_view kHeaderStart = "Content-";

bool MayBeHeader(std::string_view bytes) {
  const size_t size = std::min(bytes.size(), kHeaderStart.size());
  return strncasecmp(bytes.data(), kHeaderStart.data(), size) == 0;
}

}  // namespace

void Segmenter::Feed(std::string_view read, SegmentHandler* handler) {
  handler_ = handler;
  original_ = read_ = read;
  if (rewriter_ != nullptr) read_ = rewritten_.assign(read);
  start_ = head_end_ = decided_ = 0;
  splitter_.Feed(read, this);
  EmitRest();
}

// Undecided bytes are always the last ones of the stream so far.
void Segmenter::OnPart(wire::Part part, std::string_view bytes) {
  if (rewriter_ != nullptr) {
    rewriter_->OnPart(part, rewritten_.data() + (bytes.data() - original_.data()), bytes.size());
  }
  if (part != wire::Part::kUndecided) Decide(part, bytes.size());
}

void Segmenter::OnResolve(wire::Part part, size_t count) {
  if (rewriter_ != nullptr) rewriter_->OnResolve(part, count);
  const size_t earlier = std::min(count, undecided_earlier_);
  undecided_earlier_ -= earlier;
  Decide(part, count - earlier);
}

void Segmenter::Decide(wire::Part part, size_t count) {
  if (part == wire::Part::kHead && head_end_ == decided_) head_end_ += count;
  decided_ += count;
}

void Segmenter::End(trace::Hint hint) {
  if (rewriter_ != nullptr) rewriter_->OnEnd();
  Emit(hint);
  handler_->OnBoundary();
}

void Segmenter::Emit(trace::Hint hint) {
  if (decided_ == start_) return;  // everything was recorded with earlier reads
  handler_->OnSegment(hint, read_.substr(start_, head_end_ - start_),
                      read_.substr(head_end_, decided_ - head_end_));
  start_ = head_end_ = decided_;
}

void Segmenter::EmitRest() {
  if (start_ == read_.size()) return;
  const std::string_view undecided = read_.substr(decided_);
  if (undecided.empty() || decided_ > start_) {
    decided_ = read_.size();  // the beginning of a frame, perhaps with blanks after it
    undecided_earlier_ += undecided.size();
    return Emit(trace::Hint::kJson);
  }
  if (undecided_earlier_ == 0) {
    guess_ = MayBeHeader(undecided)     ? Guess::kHead
             : undecided.front() == '[' ? Guess::kJson
                                        : Guess::kText;
  }
  undecided_earlier_ += undecided.size();
  decided_ = read_.size();
  if (guess_ == Guess::kHead) head_end_ = decided_;
  Emit(guess_ == Guess::kText ? trace::Hint::kText : trace::Hint::kJson);
}

}  // namespace midwire::proxy
