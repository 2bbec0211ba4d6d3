// Keeps the frames of a trace for random access during a replay. They are in memory; if there are
// many, only the first ones, and the rest in an unlinked temporary file. So a tape of any size
// replays in bounded memory, also one that is read from a pipe or overwritten during the replay.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wire/outcome/result.h"

namespace midwire::trace {

class FrameStore {
 public:
  // Frames up to this total stay in memory: an ordinary session never uses a file.
  static constexpr size_t kInMemory = 8u << 20;

  explicit FrameStore(size_t in_memory = kInMemory) : FrameStore(in_memory, in_memory, 0) {}
  // Frames stay in memory until they take more than `most`, each with `cost` bytes that the caller
  // keeps for it. Then all but the first `in_memory` bytes go to the file, and their memory is
  // freed: what the caller keeps of a long trace has room there.
  FrameStore(size_t in_memory, size_t most, size_t cost);
  ~FrameStore();
  FrameStore(const FrameStore&) = delete;
  FrameStore& operator=(const FrameStore&) = delete;

  // Returns where the bytes begin, for Get. Fails if no temporary file can be written ($TMPDIR or
  // /tmp); the error names the folder and what to do. Nothing is added after a failure.
  Result<uint64_t> Add(std::string_view bytes);
  // Call after the last addition: writes what is buffered, so that a full disk is reported now and
  // not during the run.
  Status Settle();
  // The bytes, valid until the next Get (or Add). Additions are contiguous, so a range may span
  // several. Recently used ranges of the file come from one read.
  Result<std::string_view> Get(uint64_t offset, size_t size);

 private:
  class File;
  void Keep(std::string_view bytes);
  std::string_view InMemory(uint64_t at, size_t most) const;
  Status Spill();

  const size_t in_memory_, most_, cost_;
  uint64_t size_ = 0;
  uint64_t taken_ = 0;  // of most_
  // Not one string: to grow would copy it, and nothing could be freed.
  std::vector<std::unique_ptr<char[]>> pieces_;
  uint64_t kept_ = 0;           // bytes in pieces_
  std::unique_ptr<File> file_;  // what follows them; null if nothing does
  std::string joined_;          // a range that is contiguous nowhere else
};

}  // namespace midwire::trace
