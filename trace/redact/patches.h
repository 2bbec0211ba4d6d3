// Changes of a stream's bytes, none of which moves another: written down in order while one reads
// a trace, applied in the same order while one reads it again. Of any size: beyond some memory they
// lie in an unlinked temporary file. Used by redact.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/frame_store.h"
#include "wire/outcome/result.h"

namespace midwire::trace {

class Patches {
 public:
  // `now` stands at `offset` instead of `was`, of the same size: keeps where they differ. Offsets
  // ascend from call to call.
  Status Add(uint64_t offset, std::string_view was, std::string_view now);
  // Changes the bytes of the stream that begin at `offset`. Offsets ascend here, too.
  Status Apply(uint64_t offset, char* bytes, size_t size);

 private:
  Status AddOne(uint64_t offset, std::string_view bytes);
  Status ReadOn();

  FrameStore store_{kInMemory};
  uint64_t written_ = 0, read_ = 0;  // bytes of store_
  // What Apply is at; none when its bytes are empty.
  uint64_t offset_ = 0;
  std::string bytes_;
  // There are three of these at a time; few traces have as many secrets.
  static constexpr size_t kInMemory = 8u << 20;
};

}  // namespace midwire::trace
