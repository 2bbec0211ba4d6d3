#include "io/files/put_aside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/files/edited_file.h"

namespace midwire::io {
namespace {

bool SameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Holds off other runs that put files of this folder aside or back. Between two system calls of one
// run, another one may take the last name of the plugin for one that a killed run has left. A
// second run fails instead of waiting: one that hangs must not stop the others. Where a file system
// knows no locks, there is none.
class FolderLock {
 public:
  explicit FolderLock(const std::string& path) {
    const size_t end = path.rfind('/');
    const std::string folder = end == path.npos ? "." : path.substr(0, end + 1);
    fd_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd_ >= 0) taken_ = flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  }
  ~FolderLock() {
    if (fd_ >= 0) close(fd_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  Status status(const std::string& path) const {
    if (!taken_) return Ok{};
    return Error{"another midwire changes plugins in this folder", path, "try again"};
  }

 private:
  int fd_ = -1;
  bool taken_ = false;
};

// The file, if it may be put aside. is_left: it is aside already, as a killed run has left it.
Result<EditedFile> ForAside(const std::string& path, const std::string& aside, bool* is_left) {
  struct stat there, other;
  if (lstat(path.c_str(), &there) != 0) return Error{"cannot read", path, strerror(errno)};
  const bool has_aside = lstat(aside.c_str(), &other) == 0;
  *is_left = has_aside && SameFile(there, other);
  if (has_aside && !*is_left) {
    return Error{"another plugin was put aside before", aside, "remove it if it is not needed"};
  }
  const auto file = CheckEditedFile(path, /*names=*/*is_left ? 2 : 1);
  if (!file) return file;
  if ((file->mode & 06000) != 0) {
    return Error{"this file runs as another user (set-uid)", path, "a launcher cannot"};
  }
  if (access(path.c_str(), X_OK) != 0) {
    return Error{"this file is not executable", path,
                 "what starts it is an interpreter: put midwire record -- in front of that"};
  }
  return file;
}

}  // namespace

bool BeginsWith(const std::string& path, std::string_view text) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  std::string found(text.size(), '\0');
  struct stat there;
  const bool same = fstat(fd, &there) == 0 && S_ISREG(there.st_mode) &&
                    read(fd, found.data(), found.size()) == static_cast<ssize_t>(found.size()) &&
                    found == text;
  close(fd);
  return same;
}

Status CanPutAside(const std::string& path, const std::string& aside) {
  bool is_left = false;
  const auto file = ForAside(path, aside, &is_left);
  return file ? Status(Ok{}) : Status(file.error());
}

Status PutAside(const std::string& path, const std::string& aside, std::string_view launcher) {
  const FolderLock lock(path);
  if (Status free = lock.status(path); !free) return free;
  bool is_left = false;
  const auto file = ForAside(path, aside, &is_left);
  if (!file) return file.error();
  if (!is_left && link(path.c_str(), aside.c_str()) != 0) {
    return Error{"cannot put the plugin aside", aside, strerror(errno)};
  }
  Status written = ReplaceEditedFile(*file, launcher);
  if (!written && !is_left) unlink(aside.c_str());
  return written;
}

Status PutBack(const std::string& path, const std::string& aside) {
  const FolderLock lock(path);
  if (Status free = lock.status(path); !free) return free;
  struct stat there, other;
  if (lstat(aside.c_str(), &other) != 0 || !S_ISREG(other.st_mode)) {
    return Error{"the plugin is not where it was put aside", aside, strerror(errno)};
  }
  // Two names of one file: rename would keep both.
  const bool same = lstat(path.c_str(), &there) == 0 && SameFile(there, other);
  const int result = same ? unlink(aside.c_str()) : rename(aside.c_str(), path.c_str());
  if (result != 0) return Error{"cannot put the plugin back", path, strerror(errno)};
  return Ok{};
}

}  // namespace midwire::io
