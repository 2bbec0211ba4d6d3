// Keeps the frames of a trace for random access while it is replayed: the first in memory, the
// rest in an unlinked temporary file, so that a tape of any size replays in bounded memory, and a
// trace read from a pipe or overwritten meanwhile as well. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::trace {

class FrameStore {
 public:
  // Frames up to this many bytes in all stay in memory: an ordinary session never sees a file.
  static constexpr size_t kInMemory = 32u << 20;

  explicit FrameStore(size_t in_memory = kInMemory);
  ~FrameStore();
  FrameStore(const FrameStore&) = delete;
  FrameStore& operator=(const FrameStore&) = delete;

  // Where the bytes begin; to be given back to Get. An error: no temporary file ($TMPDIR or /tmp)
  // can be written; names the folder and what to do. After one, nothing more is added.
  Result<uint64_t> Add(std::string_view bytes);
  // After the last addition: writes what waits to be written, so that a full disk is told of now
  // and not in the middle of a run.
  Status Settle();
  // The bytes, valid until the next Get (or Add). One addition follows the other, so a range may
  // span several. Recently used ranges of the file come from one read.
  Result<std::string_view> Get(uint64_t offset, size_t size);

 private:
  class File;
  size_t in_memory_;
  uint64_t size_ = 0;
  std::string memory_;
  std::unique_ptr<File> file_;  // holds what follows memory_; null: nothing does
  std::string joined_;          // of a range that lies in one piece nowhere
};

}  // namespace midwire::trace
