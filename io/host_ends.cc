#include "io/host_ends.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "io/endpoints.h"

namespace midwire::io {
namespace {

// Without /proc only this many descriptors are checked: hosts leave few open, with low numbers.
constexpr int kProbedWithoutProc = 1024;

bool IsInherited(int fd) {
  const int flags = fcntl(fd, F_GETFD);
  return flags >= 0 && (flags & FD_CLOEXEC) == 0;
}

std::vector<int> InheritedDescriptors() {
  std::vector<int> found;
  if (DIR* folder = opendir("/proc/self/fd")) {
    while (const dirent* entry = readdir(folder)) {
      const int fd = atoi(entry->d_name);  // "." and ".." give 0
      if (fd > 2 && fd != dirfd(folder) && IsInherited(fd)) found.push_back(fd);
    }
    closedir(folder);
    std::sort(found.begin(), found.end());
  } else {
    for (int fd = 3; fd < kProbedWithoutProc; ++fd) {
      if (IsInherited(fd)) found.push_back(fd);
    }
  }
  return found;
}

bool AreOneStream(int a, int b) {
  struct stat first, second;
  if (fstat(a, &first) != 0 || fstat(b, &second) != 0) return false;
  const bool keeps_order =
      S_ISFIFO(first.st_mode) || S_ISSOCK(first.st_mode) || S_ISREG(first.st_mode);
  return keeps_order && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

}  // namespace

HostEnds TakeHostEnds() {
  HostEnds ends;
  for (int fd = 0; fd < 3; ++fd) {
    const int flags = fcntl(fd, F_GETFL);
    ends.closed[fd] = flags < 0;
    ends.nonblocking[fd] = flags >= 0 && (flags & O_NONBLOCK) != 0;
  }
  for (int fd = 0; fd < 3; ++fd) {
    if (ends.closed[fd]) CoverWithNull(fd);
  }
  ends.merged_stderr = !ends.closed[1] && !ends.closed[2] && AreOneStream(1, 2);
  ends.inherited = InheritedDescriptors();
  return ends;
}

}  // namespace midwire::io
