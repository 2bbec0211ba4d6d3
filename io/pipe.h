// A pipe to or from a child, and how descriptors are closed. Used by all code that starts
// processes. Never reads or writes.
#pragma once

namespace midwire::io {

// Closes *fd unless it is -1, and sets it to -1.
void CloseDescriptor(int* fd);
void SetNonBlocking(int fd, bool nonblocking = true);

// Both ends close on exec, and when the Pipe is destroyed: to keep one, take it with
// std::exchange(pipe.reader, -1). Neither is ever 0, 1 or 2, so that a child's standard descriptors
// can be put over those.
struct Pipe {
  Pipe() = default;
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  // False: errno says why.
  bool Open();

  int reader = -1, writer = -1;
};

}  // namespace midwire::io
