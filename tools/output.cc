#include "tools/output.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "spdlog/spdlog.h"
#include "tools/command.h"

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
  while (!bytes.empty() && error_ == 0) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(written);
    } else if (errno == EAGAIN) {  // another process set O_NONBLOCK on the shared terminal or pipe
      pollfd ready = {descriptor_, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
}

int Output::Finish() {
  Flush();
  if (error_ == 0 || error_ == EPIPE) return kFine;
  spdlog::error("cannot write to standard output: {} (what was printed is incomplete)",
                std::strerror(error_));
  return kDataLost;
}

bool WriteFile(const std::string& path, std::string_view text) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(path.c_str(), "we"), fclose);
  return file && fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
         fflush(file.get()) == 0;
}

}  // namespace midwire::tools
