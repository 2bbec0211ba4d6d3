#include "tools/output.h"

#include <cerrno>
#include <cstring>

#include "io/files/write_file.h"
#include "tools/command.h"
#include "tools/console/diagnostics.h"

namespace midwire::tools {

void Output::Write(std::string_view bytes) {
  if (bytes.size() >= kFlushAt) {
    Flush();
    WriteAll(bytes);
  } else {
    buffer_ += bytes;
    Settle();
  }
}

void Output::Flush() {
  WriteAll(buffer_);
  buffer_.clear();
}

void Output::WriteAll(std::string_view bytes) {
  if (error_ == 0) error_ = io::WriteAll(descriptor_, bytes);
}

int Output::Finish() {
  Flush();
  if (error_ == 0 || error_ == EPIPE) return kFine;
  return Fail(
      {"cannot write to standard output", std::strerror(error_), "what was printed is incomplete"},
      kDataLost);
}

}  // namespace midwire::tools
