#include "io/files/has_writer.h"

#include <fcntl.h>

#include <cerrno>

namespace midwire::io {

// A read lease is granted only for a file that is not open for writing (fcntl(2)).
std::optional<bool> HasWriter(int fd) {
  if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0) {
    fcntl(fd, F_SETLEASE, F_UNLCK);
    return false;
  }
  if (errno == EAGAIN) return true;
  return std::nullopt;
}

}  // namespace midwire::io
