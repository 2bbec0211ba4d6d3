#include "io/files/file_sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "io/files/write_file.h"

namespace midwire::io {
namespace {

// Large enough that the cost of a write(2) is small compared with its bytes.
constexpr size_t kSinkBuffer = 256 * 1024;

std::string Reason(int error) { return std::strerror(error); }

Error Exists(const std::string& path) {
  return {"the output exists already", path, "choose another name, or remove it first"};
}

Error CannotCreate(const std::string& path) {
  return {"cannot create the output", path + ": " + Reason(errno), "name another file"};
}

// Where the file system cannot rename without overwriting, a second link does not overwrite either.
int RenameAsNew(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (link(from.c_str(), to.c_str()) != 0) return -1;
  (void)unlink(from.c_str());
  return 0;
}

class DescriptorSink : public FileSink {
 public:
  // `part`: what the file is called until Close; "" for standard output.
  DescriptorSink(int fd, std::string path, std::string part)
      : fd_(fd), path_(std::move(path)), part_(std::move(part)) {
    buffer_.reserve(kSinkBuffer);
  }
  ~DescriptorSink() override {
    if (fd_ >= 0 && fd_ != STDOUT_FILENO) close(fd_);
    if (!part_.empty()) unlink(part_.c_str());
  }

  Status Write(std::string_view bytes) override {
    if (buffer_.size() + bytes.size() > kSinkBuffer) {
      if (Status flushed = Flush(); !flushed) return flushed;
      if (bytes.size() >= kSinkBuffer) return WriteOut(bytes);
    }
    buffer_.append(bytes);
    return Ok{};
  }

  Status Close() override {
    if (fd_ < 0) return Ok{};
    Status flushed = Flush();
    if (part_.empty()) return flushed;
    int fd = std::exchange(fd_, -1);
    if (close(fd) != 0 && flushed) flushed = Failed(errno);
    if (!flushed) return flushed;
    if (RenameAsNew(part_, path_) != 0) return errno == EEXIST ? Exists(path_) : Failed(errno);
    part_.clear();
    return Ok{};
  }

 private:
  Status Flush() {
    Status written = WriteOut(buffer_);
    buffer_.clear();
    return written;
  }

  Status WriteOut(std::string_view bytes) {
    const int error = WriteAll(fd_, bytes);
    return error == 0 ? Status(Ok{}) : Failed(error);
  }

  Status Failed(int error) { return Error{"cannot write", path_, Reason(error)}; }

  int fd_;
  std::string path_, part_;
  std::string buffer_;
};

}  // namespace

Result<std::unique_ptr<FileSink>> FileSink::Create(const std::string& path, unsigned mode) {
  if (path == "-") {
    return std::unique_ptr<FileSink>(
        std::make_unique<DescriptorSink>(STDOUT_FILENO, "standard output", ""));
  }
  struct stat there;
  if (lstat(path.c_str(), &there) == 0) return Exists(path);
  // Such as a name that is too long: the name of the part would not be.
  if (errno != ENOENT) return CannotCreate(path);
  std::string part = path.substr(0, path.rfind('/') + 1) + ".midwire-XXXXXX.part";
  int fd = mkostemps(part.data(), /*suffixlen=*/5, O_CLOEXEC);  // 0600
  if (fd < 0) return CannotCreate(path);
  // The umask may have removed too much: the owner must be able to read the file.
  (void)fchmod(fd, mode);
  return std::unique_ptr<FileSink>(std::make_unique<DescriptorSink>(fd, path, std::move(part)));
}

}  // namespace midwire::io
