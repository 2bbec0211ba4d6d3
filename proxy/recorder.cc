#include "proxy/recorder.h"

#include <errno.h>
#include <string.h>

#include <utility>

#include "proxy/tape_name.h"
#include "trace/tape_encoder.h"

namespace midwire::proxy {
namespace {

// A part that has reached its size ends as soon as both directions are between frames, so that each
// part can be read by itself. At this many times the size it ends in any case, at the end of a
// segment: otherwise one endless frame would fill the disk.
constexpr uint64_t kOverdue = 2;

constexpr Stream kWithBytes[] = {Stream::kHostToPlugin, Stream::kPluginToHost, Stream::kStderr};

std::string LastComponent(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

Recorder::Recorder(RecorderOptions options, io::AppendFiles* files, const io::Clock* clock,
                   Warn warn)
    : options_(std::move(options)),
      files_(files),
      clock_(clock),
      warn_(std::move(warn)),
      segmenters_{Segmenter(options_.framing, options_.rewriters[0]),
                  Segmenter(options_.framing, options_.rewriters[1])} {}

void Recorder::Start(const trace::SpawnEvent& spawn) {
  spawn_ = spawn;
  int error = 0;
  file_ = files_->Create(options_.path, &error);
  if (file_ == nullptr) return Fail("cannot create the tape", options_.path, error);
  first_path_ = file_->path();
  time_ns_ = clock_->UnixNs();
  Begin();
}

// Writes the start of a part, with the time of its first read.
void Recorder::Begin() {
  if (options_.keep > 0) parts_.push_back({file_->path(), file_->identity()});
  size_ = 0;
  blocks_.clear();
  trace::AppendTapeStart(&blocks_);
  trace::AppendEvent(time_ns_, spawn_, &blocks_);
  Commit();
  start_size_ = size_;
}

void Recorder::OnBytes(Stream stream, std::string_view bytes) {
  if (file_ == nullptr || (stream == Stream::kStderr && !options_.record_stderr)) return;
  if (options_.redactor == nullptr) return Write(stream, bytes);
  clean_.clear();
  options_.redactor->Feed(stream, bytes, &clean_);
  Release(stream);
}

// Records what is in clean_: a read and what was held of earlier ones, in reads of the usual size.
void Recorder::Release(Stream stream) {
  for (std::string_view left = clean_; !left.empty() && file_ != nullptr;) {
    const std::string_view read = left.substr(0, trace::kMaxSegment);
    Write(stream, read);
    left.remove_prefix(read.size());
  }
}

// The stream has ended.
void Recorder::ReleaseAll(Stream stream) {
  clean_.clear();
  if (options_.redactor != nullptr) options_.redactor->Finish(stream, &clean_);
  Release(stream);
}

void Recorder::Write(Stream stream, std::string_view bytes) {
  between_frames_ = segmenters_[0].at_boundary() && segmenters_[1].at_boundary();
  stream_ = stream;
  time_ns_ = clock_->UnixNs();
  blocks_.clear();
  if (stream == Stream::kStderr) {
    OnSegment(trace::Hint::kText, {}, bytes);
  } else {
    segmenters_[static_cast<int>(stream)].Feed(bytes, this);
  }
  if (file_ != nullptr) Commit();
}

void Recorder::OnSegment(trace::Hint hint, std::string_view head, std::string_view body) {
  if (file_ == nullptr) return;
  const size_t before = blocks_.size();
  trace::AppendRecord(
      {.stream = stream_, .hint = hint, .time_ns = time_ns_, .head = head, .body = body}, &blocks_);
  const uint64_t size = size_ + blocks_.size();
  // A part that has only its start cannot be smaller.
  if (options_.max_size > 0 && size > options_.max_size && size_ + before > start_size_ &&
      (between_frames_ || size > kOverdue * options_.max_size)) {
    StartNextPart(before);
  }
  between_frames_ = false;
}

void Recorder::OnBoundary() {
  between_frames_ = segmenters_[stream_ == Stream::kHostToPlugin ? 1 : 0].at_boundary();
}

// With the last segment, which begins at `segment` of blocks_; those before it end this part. A
// read may have a hundred messages: looking at its end only would make parts of many times the
// size.
void Recorder::StartNextPart(size_t segment) {
  std::string next = blocks_.substr(segment);
  blocks_.resize(segment);
  Commit();
  if (file_ == nullptr || !Rotate()) return;
  blocks_ = std::move(next);
}

void Recorder::OnEvent(const trace::Event& event) {
  if (file_ == nullptr) return;
  const auto* const eof = std::get_if<trace::EofEvent>(&event);
  for (const Stream stream : kWithBytes) {
    if (eof != nullptr && Name(stream) == eof->stream) ReleaseAll(stream);
  }
  if (file_ == nullptr) return;
  blocks_.clear();
  trace::AppendEvent(clock_->UnixNs(), event, &blocks_);
  Commit();
}

// False: the recording has ended.
bool Recorder::Rotate() {
  ++spawn_.part;
  int error = 0;
  const std::string path = PartName(first_path_, spawn_.part);
  std::unique_ptr<io::AppendFile> next = files_->Create(path, &error);
  if (next == nullptr) {
    Fail("cannot continue in another file", path, error);
    return false;
  }
  OnEvent(trace::EndEvent{.next = LastComponent(next->path())});
  if (file_ == nullptr) return false;
  if (options_.sync_ns > 0) file_->Sync();
  file_ = std::move(next);
  Begin();
  while (parts_.size() > options_.keep) {
    files_->Remove(parts_.front().path, parts_.front().identity);
    parts_.pop_front();
  }
  return file_ != nullptr;
}

// Writes all of blocks_ or nothing: one write(2), except on a disk that has just become full.
void Recorder::Commit() {
  std::string_view left = blocks_;
  while (!left.empty()) {
    size_t written = 0;
    const int error = file_->Write(left, &written);
    if (error != 0) {
      file_->Truncate(size_);
      const bool empty = size_ == 0 && spawn_.part <= 1;
      return Fail(empty ? "nothing is recorded, the tape stays empty" : "the recording ends here",
                  file_->path(), error);
    }
    left.remove_prefix(written);
  }
  size_ += blocks_.size();
  if (options_.sync_ns > 0 && sync_at_ == kNever) {
    sync_at_ = clock_->MonotonicNs() + options_.sync_ns;
  }
}

void Recorder::OnTime() {
  sync_at_ = kNever;
  if (file_ == nullptr) return;
  if (const int error = file_->Sync()) Fail("cannot flush the tape to disk", file_->path(), error);
}

void Recorder::Finish() {
  for (const Stream stream : kWithBytes) ReleaseAll(stream);
  OnEvent(trace::EndEvent{});
  if (file_ == nullptr) return;
  if (options_.sync_ns > 0) file_->Sync();
  complete_ = !file_->Removed();
  if (!complete_) warn_("the tape was removed while it was written: " + file_->path());
  file_.reset();
}

void Recorder::Fail(const std::string& what, const std::string& path, int error) {
  // Of a file, the next free name was tried.
  const std::string reason =
      error == EEXIST ? "it exists, and is no regular file: name another" : strerror(error);
  warn_(what + ": " + path + ": " + reason + " (the session goes on unrecorded)");
  file_.reset();
  sync_at_ = kNever;
}

}  // namespace midwire::proxy
