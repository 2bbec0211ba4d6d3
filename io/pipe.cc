#include "io/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

namespace midwire::io {
namespace {

// Where 0, 1 or 2 were closed when we were started, a new descriptor lands there.
bool MoveUp(int* fd) {
  if (*fd > 2) return true;
  const int above = fcntl(*fd, F_DUPFD_CLOEXEC, 3);
  if (above < 0) return false;
  close(*fd);
  *fd = above;
  return true;
}

}  // namespace

void CloseDescriptor(int* fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

void SetNonBlocking(int fd, bool nonblocking) {
  const int flags = fcntl(fd, F_GETFL);
  fcntl(fd, F_SETFL, nonblocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

Pipe::~Pipe() {
  CloseDescriptor(&reader);
  CloseDescriptor(&writer);
}

bool Pipe::Open() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  reader = ends[0];
  writer = ends[1];
  if (MoveUp(&reader) && MoveUp(&writer)) return true;
  const int error = errno;
  CloseDescriptor(&reader);
  CloseDescriptor(&writer);
  errno = error;
  return false;
}

}  // namespace midwire::io
