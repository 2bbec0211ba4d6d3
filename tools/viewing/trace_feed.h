// Reads a trace that may still grow, in slices of time, so that a server answers others meanwhile.
// Called by OpenedTrace and SessionsList. Never waits.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tools/read_trace.h"
#include "tools/viewing/trace_files.h"
#include "trace/reader.h"

namespace midwire::tools {

class TraceFeed {
 public:
  explicit TraceFeed(OpenFile file) : file_(std::move(file)) {}

  // Reads on until everything available is read (true), or until the monotonic clock is at
  // `deadline_ns`.
  bool Read(int64_t deadline_ns, TraceListener* listener);

  const OpenFile& file() const { return file_; }
  // It has become shorter: what was read is not in it any more.
  bool truncated() const { return truncated_; }
  bool grown() const { return grown_; }                    // by the latest Read
  bool ended() const { return ended_; }                    // its end event was read
  const std::string& next() const { return next_; }        // the next file of a rotated recording
  const std::string& failure() const { return failure_; }  // it cannot be read (further)
  uint64_t damaged_bytes() const { return reader_ ? reader_->damaged_bytes() : 0; }
  bool live() const;  // a process writes it, or has written it just now

 private:
  bool Open();

  OpenFile file_;
  std::unique_ptr<trace::TraceReader> reader_;  // null: not opened yet, as it is empty
  uint64_t size_ = 0;                           // when it was last looked at
  int64_t modified_ns_ = 0;
  bool truncated_ = false, grown_ = false, ended_ = false;
  std::string next_, failure_;
};

}  // namespace midwire::tools
