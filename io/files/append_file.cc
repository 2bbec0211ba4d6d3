#include "io/files/append_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace midwire::io {
namespace {

// Names tried before giving up: a folder with ten thousand tapes of one name has another problem.
constexpr int kMaxAttempts = 10000;

FileIdentity IdentityOf(const struct stat& info) { return {info.st_dev, info.st_ino}; }

// The error for a tape at a path where there is something other than a file; 0: there is a file, or
// a link to one. In /dev a file is none: /dev/stderr leads to one if stderr does, and the next name
// would stand in /dev.
int WhyNoNextName(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return errno == ENOENT ? EEXIST : errno;  // a dangling link
  if (S_ISDIR(info.st_mode)) return EISDIR;
  const bool device = path.starts_with("/dev/") && !path.starts_with("/dev/shm/");
  return S_ISREG(info.st_mode) && !device ? 0 : EEXIST;
}

class SystemAppendFile : public AppendFile {
 public:
  SystemAppendFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  ~SystemAppendFile() override { close(fd_); }

  int Write(std::string_view bytes, size_t* written) override {
    const ssize_t n = write(fd_, bytes.data(), bytes.size());
    *written = n > 0 ? static_cast<size_t>(n) : 0;
    return n < 0 ? errno : 0;
  }
  int Truncate(uint64_t size) override {
    if (ftruncate(fd_, static_cast<off_t>(size)) != 0) return errno;
    return lseek(fd_, static_cast<off_t>(size), SEEK_SET) < 0 ? errno : 0;
  }
  int Sync() override { return fdatasync(fd_) != 0 ? errno : 0; }
  bool Removed() const override {
    struct stat info;
    return fstat(fd_, &info) == 0 && info.st_nlink == 0;
  }
  const std::string& path() const override { return path_; }
  FileIdentity identity() const override {
    struct stat info = {};
    fstat(fd_, &info);
    return IdentityOf(info);
  }

 private:
  int fd_;
  std::string path_;
};

class SystemFiles : public AppendFiles {
 public:
  std::unique_ptr<AppendFile> Create(const std::string& path, int* error) override {
    for (int attempt = 1; attempt <= kMaxAttempts; ++attempt) {
      std::string name = NextName(path, attempt);
      const int fd = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
      if (fd >= 0) {
        fchmod(fd, 0600);  // the umask may have removed even these bits
        return std::make_unique<SystemAppendFile>(fd, std::move(name));
      }
      *error = errno;
      if (errno != EEXIST) break;
      if (const int why = attempt == 1 ? WhyNoNextName(path) : 0) {
        *error = why;
        break;
      }
    }
    return nullptr;
  }
  void Remove(const std::string& path, const FileIdentity& identity) override {
    struct stat info;
    if (lstat(path.c_str(), &info) == 0 && IdentityOf(info) == identity) unlink(path.c_str());
  }
};

}  // namespace

std::string InsertBeforeExtension(const std::string& path, const std::string& text) {
  const size_t name = path.find_last_of('/') + 1;  // npos + 1 is 0
  size_t dot = path.find_last_of('.');
  if (dot == std::string::npos || dot <= name) dot = path.size();
  return path.substr(0, dot) + text + path.substr(dot);
}

std::string NextName(const std::string& path, int attempt) {
  return attempt < 2 ? path : InsertBeforeExtension(path, "-" + std::to_string(attempt));
}

AppendFiles* SystemAppendFiles() {
  static SystemFiles files;
  return &files;
}

}  // namespace midwire::io
