// Buffered standard output of a command; only this class handles its errors. If the reader closes
// the pipe (| head), that is no error; a full disk is one line on stderr and kDataLost.
#pragma once

#include <string>
#include <string_view>

namespace midwire::tools {

class Output {
 public:
  explicit Output(int descriptor = 1) : descriptor_(descriptor) { buffer_.reserve(kFlushAt * 2); }

  // Append here, then Settle.
  std::string* text() { return &buffer_; }
  void Settle() {
    if (buffer_.size() >= kFlushAt) Flush();
  }
  // Writes without copying if there are many bytes.
  void Write(std::string_view bytes);
  void Flush();
  // False: nothing more can be written.
  bool good() const { return error_ == 0; }
  // Flushes and reports an error. Returns kFine or kDataLost.
  int Finish();

 private:
  // Larger than a pipe (64 KiB), small compared with the cache.
  static constexpr size_t kFlushAt = 256 * 1024;
  void WriteAll(std::string_view bytes);

  int descriptor_;
  int error_ = 0;
  std::string buffer_;
};

}  // namespace midwire::tools
