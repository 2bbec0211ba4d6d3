#include "io/files/part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace midwire::io {
namespace {

// Names tried: others are parts of this process, or of one with the same id in another container.
constexpr int kMaxParts = 100;

constexpr int kToLook = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

// Writers share the lock, so it passes from one descriptor of a writer to the next without a gap.
// Where a file system knows no locks, this gets none: the part stays. Not opened for writing: the
// kernel would not start a launcher that gets its name at this moment.
void RemoveIfAbandoned(const std::string& name) {
  const int fd = open(name.c_str(), kToLook);
  if (fd < 0) return;
  struct stat opened, named;
  const bool abandoned = fstat(fd, &opened) == 0 && S_ISREG(opened.st_mode) &&
                         opened.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
                         // Its writer may have renamed it before it let the lock go.
                         lstat(name.c_str(), &named) == 0 && named.st_dev == opened.st_dev &&
                         named.st_ino == opened.st_ino;
  if (abandoned) unlink(name.c_str());
  close(fd);
}

// False: another process has removed the file before it was locked, or is about to.
bool LockPart(int fd) {
  if (flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  struct stat created;
  return fstat(fd, &created) != 0 || created.st_nlink > 0;
}

}  // namespace

PartFile::PartFile(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}

PartFile::~PartFile() {
  if (!name_.empty()) unlink(name_.c_str());
  if (fd_ >= 0) close(fd_);
}

std::unique_ptr<PartFile> PartFile::Create(const std::string& prefix, unsigned mode) {
  for (int i = 0; i < kMaxParts; ++i) {
    char part[48];
    snprintf(part, sizeof part, ".midwire-%d-%d.part", static_cast<int>(getpid()), i);
    std::string name = prefix + part;
    // For reading too: NFS shares a lock only with readers.
    constexpr int kNew = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    int fd = open(name.c_str(), kNew, mode);
    if (fd < 0 && errno == EEXIST) {
      RemoveIfAbandoned(name);
      fd = open(name.c_str(), kNew, mode);
    }
    if (fd < 0 && errno != EEXIST) return nullptr;
    if (fd < 0) continue;
    if (LockPart(fd)) return std::unique_ptr<PartFile>(new PartFile(fd, std::move(name)));
    close(fd);
  }
  errno = EEXIST;
  return nullptr;
}

int PartFile::EndWriting() {
  const int reading = open(name_.c_str(), kToLook);
  if (reading >= 0) (void)flock(reading, LOCK_SH | LOCK_NB);
  return close(std::exchange(fd_, reading)) == 0 ? 0 : errno;
}

void RemoveAbandonedParts(const std::string& folder) {
  std::error_code error;
  std::filesystem::directory_iterator at(folder.empty() ? "." : folder, error), end;
  for (; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    if (name.starts_with(".midwire-") && name.ends_with(".part")) RemoveIfAbandoned(at->path());
  }
}

}  // namespace midwire::io
