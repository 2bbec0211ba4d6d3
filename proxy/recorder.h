// The recorder: a tap that writes the tape. Created by Record and RunPlugin. Each read is cut into
// segments, encoded into one buffer and written by one write(2) before the driver passes it on. If
// that fails, the tape ends at its last whole block, one line warns, and the session continues
// unrecorded. Never changes what is passed on.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/clock.h"
#include "io/files/append_file.h"
#include "proxy/segmenter.h"
#include "proxy/tap.h"
#include "trace/redact/stream_redactor.h"

namespace midwire::proxy {

struct RecorderOptions {
  std::string path;  // of the first part
  wire::Framing framing = wire::Framing::kAuto;
  bool record_stderr = true;
  int64_t sync_ns = 0;                   // fdatasync at least this often; 0: never
  uint64_t max_size = 0;                 // of a part; 0: no limit
  uint64_t keep = 0;                     // parts; 0: all
  std::array<Rewriter*, 2> rewriters{};  // by direction; not owned, may be null
  // If not null, what looks like a secret is not recorded, and the end of each stream is held back
  // while it may be the beginning of one (stream_redactor.h). Not owned.
  trace::redact::StreamRedactor* redactor = nullptr;
};

class Recorder : public Tap, private SegmentHandler {
 public:
  // Called at most once, with one line without a newline.
  using Warn = std::function<void(const std::string& line)>;

  // Does not own `files` and `clock`.
  Recorder(RecorderOptions options, io::AppendFiles* files, const io::Clock* clock, Warn warn);

  // Creates the tape and writes its start. Call before the first byte.
  void Start(const trace::SpawnEvent& spawn);
  void OnBytes(Stream stream, std::string_view bytes) override;
  void OnEvent(const trace::Event& event) override;
  void OnTime() override;
  int64_t Deadline() const override { return sync_at_; }
  // The recording is complete. Warns if the file has been removed meanwhile.
  void Finish();
  // The name of the first part; "": it could not be created.
  const std::string& first_path() const { return first_path_; }
  // After Finish: the tape has the whole session, and still has a name.
  bool complete() const { return complete_; }

 private:
  void OnSegment(trace::Hint hint, std::string_view head, std::string_view body) override;
  void OnBoundary() override;
  void Write(Stream stream, std::string_view bytes);
  void Release(Stream stream);
  void ReleaseAll(Stream stream);
  void Begin();
  void StartNextPart(size_t segment);
  bool Rotate();
  void Commit();
  void Fail(const std::string& what, const std::string& path, int error);

  RecorderOptions options_;
  io::AppendFiles* files_;
  const io::Clock* clock_;
  Warn warn_;
  trace::SpawnEvent spawn_;
  std::array<Segmenter, 2> segmenters_;
  std::string clean_;  // what the redactor released

  std::unique_ptr<io::AppendFile> file_;  // null: nothing is recorded, or recording has ended
  std::string first_path_;                // of part 1; the others are named after it
  bool complete_ = false;
  struct Part {
    std::string path;
    io::FileIdentity identity;
  };
  std::deque<Part> parts_;                 // with `keep`: the parts that still exist, oldest first
  uint64_t size_ = 0;                      // of file_, whole blocks only
  uint64_t start_size_ = 0;                // of what each part begins with
  bool between_frames_ = true;             // both directions, before the next segment
  std::string blocks_;                     // of the current read
  Stream stream_ = Stream::kHostToPlugin;  // of the current read
  int64_t time_ns_ = 0;
  int64_t sync_at_ = kNever;
};

}  // namespace midwire::proxy
