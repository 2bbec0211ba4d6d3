#include "trace/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace midwire::trace {
namespace {

std::string Reason(int error) { return std::strerror(error); }

class FileSource : public Source {
 public:
  FileSource(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  ~FileSource() override {
    if (fd_ != STDIN_FILENO) close(fd_);
  }

  Result<size_t> Read(char* to, size_t size) override {
    for (;;) {
      ssize_t got = read(fd_, to, size);
      if (got >= 0) return static_cast<size_t>(got);
      if (errno != EINTR) return Error{"cannot read the trace", path_, Reason(errno)};
    }
  }

 private:
  int fd_;
  std::string path_;
};

}  // namespace

Result<std::unique_ptr<Source>> OpenRegularFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return Error{"cannot open the trace", path, Reason(errno)};
  auto source = std::make_unique<FileSource>(fd, path);
  struct stat status;
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    return Error{"cannot open the trace", path, "not a regular file"};
  }
  return std::unique_ptr<Source>(std::move(source));
}

Result<std::unique_ptr<Source>> OpenSource(const std::string& path) {
  if (path == "-") {
    return std::unique_ptr<Source>(std::make_unique<FileSource>(STDIN_FILENO, "standard input"));
  }
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Error{"cannot open the trace", path, Reason(errno)};
  struct stat status;
  if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(fd);
    return Error{"cannot open the trace", path, "it is a folder; name the file in it"};
  }
  return std::unique_ptr<Source>(std::make_unique<FileSource>(fd, path));
}

Result<std::string> ReadUpTo(size_t most, Source* source) {
  constexpr size_t kRead = 256 * 1024;
  std::string text;
  while (text.size() <= most) {
    const size_t before = text.size();
    text.resize(before + kRead);
    const Result<size_t> got = source->Read(text.data() + before, kRead);
    if (!got) return got.error();
    text.resize(before + *got);
    if (*got == 0) break;
  }
  return text;
}

}  // namespace midwire::trace
