// Changes to a stream's bytes that keep its size: recorded in order during one reading of a trace,
// applied in the same order during the next. Of any size: beyond a limit they go to an unlinked
// temporary file. Used by trace_redactor.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/frame_store.h"
#include "wire/outcome/result.h"

namespace midwire::trace::redact {

class Patches {
 public:
  // Replaces `was` by `now`, of the same size, at `offset`: keeps where they differ. Offsets ascend
  // from call to call.
  Status Add(uint64_t offset, std::string_view was, std::string_view now);
  // Applies the changes to bytes of the stream that begin at `offset`. Offsets ascend from call to
  // call.
  Status Apply(uint64_t offset, char* bytes, size_t size);

 private:
  Status AddOne(uint64_t offset, std::string_view bytes);
  Status ReadOn();

  FrameStore store_{kInMemory};
  uint64_t written_ = 0, read_ = 0;  // bytes of store_
  // The patch that Apply is at; none if its bytes are empty.
  uint64_t offset_ = 0;
  std::string bytes_;
  // Three of these exist at a time; few traces have as many secrets.
  static constexpr size_t kInMemory = 8u << 20;
};

}  // namespace midwire::trace::redact
