#include "io/files/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

namespace midwire::io {

std::string FollowLink(const std::string& path) {
  struct stat status;
  const bool is_link = lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
  const std::unique_ptr<char, void (*)(void*)> real(
      is_link ? realpath(path.c_str(), nullptr) : nullptr, free);
  return real ? real.get() : path;
}

Result<std::string> ReplaceFile(const std::string& fresh, const std::string& path) {
  // Same permissions as the previous version.
  struct stat status;
  if (stat(path.c_str(), &status) == 0) (void)chmod(fresh.c_str(), status.st_mode & 0777);
  // Left behind, it would block the next update.
  const auto failed = [&](const char* what, const std::string& where) {
    const int error = errno;
    unlink(fresh.c_str());
    return Error{what, where, strerror(error)};
  };
  // On the disk before it has the name: a power cut must not leave an empty file under it.
  if (const int fd = open(fresh.c_str(), O_RDONLY | O_CLOEXEC); fd >= 0) {
    const bool synced = fsync(fd) == 0 || errno == EINVAL;  // a file system without it
    const int error = errno;
    close(fd);
    errno = error;
    if (!synced) return failed("cannot write", fresh);
  }
  // The previous version gets its own name first, so that `path` exists at every moment.
  std::string old = path + ".old";
  for (int i = 2; link(path.c_str(), old.c_str()) != 0; ++i) {
    if (errno != EEXIST) return failed("cannot keep the old trace", old);
    old = path + ".old." + std::to_string(i);
  }
  if (rename(fresh.c_str(), path.c_str()) != 0) return failed("cannot replace the trace", path);
  return old;
}

}  // namespace midwire::io
