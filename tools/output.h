// Buffered standard output of a command; only this class handles its errors. If the reader closes
// the pipe (| head), that is no error; a full disk is one line on stderr and kDataLost.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace midwire::io {
class Pager;
}

namespace midwire::tools {

class Output {
 public:
  explicit Output(int descriptor = 1);
  ~Output();

  // If this is a terminal: what does not fit on it goes through $PAGER, or less. Called before
  // anything is written. `wanted`: no --no-pager.
  void Page(bool wanted);

  // Append here, then Settle.
  std::string* text() { return &buffer_; }
  void Settle() {
    if (buffer_.size() >= kFlushAt) Flush();
  }
  // Whether anything was appended.
  bool wrote() const { return wrote_ || !buffer_.empty(); }
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
  // False: kept until it is known whether all fits.
  bool Passes(std::string_view bytes);
  void StartPager();

  int descriptor_;
  int error_ = 0;
  std::string buffer_;
  bool wrote_ = false;  // what was in it before
  size_t lines_ = 0;    // that fit on the terminal; 0: there is no pager
  std::string held_;    // at most so many lines
  std::unique_ptr<io::Pager> pager_;
};

}  // namespace midwire::tools
