// Standard output of a command that prints much: one large buffer, few write(2)s, and the one place
// that knows what to do when they fail. A reader that went away (| head) is quiet and fine; a full
// disk is one line on stderr and kDataLost.
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
  // Bytes that need not be copied when there are many.
  void Write(std::string_view bytes);
  void Flush();
  // False: nothing more can be written, stop.
  bool good() const { return error_ == 0; }
  // Flushes and says what failed. Returns kFine or kDataLost.
  int Finish();

 private:
  // Larger than a pipe (64 KiB), small beside the cache.
  static constexpr size_t kFlushAt = 256 * 1024;
  void WriteAll(std::string_view bytes);

  int descriptor_;
  int error_ = 0;
  std::string buffer_;
};

// A report beside the output: made anew, whole. False: errno says why.
bool WriteFile(const std::string& path, std::string_view text);

}  // namespace midwire::tools
