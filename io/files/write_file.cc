#include "io/files/write_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "io/files/file_sink.h"
#include "io/poll.h"

namespace midwire::io {
namespace {

// A dangling link is something, but not a file.
bool IsSomething(const std::string& path) {
  struct stat there;
  return lstat(path.c_str(), &there) == 0;
}

bool IsFile(const std::string& path) {
  struct stat there;
  return stat(path.c_str(), &there) == 0 && S_ISREG(there.st_mode);
}

}  // namespace

int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {  // another process has set O_NONBLOCK
      PollSlot ready[] = {ForWrite(fd)};
      Poll(ready, kNever);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

bool WriteFile(const std::string& path, std::string_view text) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(path.c_str(), "we"), fclose);
  return file && fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
         fflush(file.get()) == 0;
}

Status WriteNewFile(const std::string& path, std::string_view bytes, unsigned mode) {
  const auto sink = FileSink::Create(path, mode);
  if (!sink) return sink.error();
  const Status written = (*sink)->Write(bytes);
  return written ? (*sink)->Close() : written;
}

Status KeepFile(const std::string& path, std::string_view bytes) {
  if (IsFile(path)) return Ok{};
  if (IsSomething(path)) {
    return Error{"not a regular file", path, "remove it, or name another folder with -o"};
  }
  const Status kept = WriteNewFile(path, bytes);
  // Another process was faster.
  if (!kept && IsFile(path)) return Ok{};
  return kept;
}

}  // namespace midwire::io
