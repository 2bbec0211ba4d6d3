#include "io/endpoints.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "io/pipe.h"
#include "io/poll.h"

namespace midwire::io {
namespace {

// Device majors of Unix 98 pseudo-terminal slaves (Linux, Documentation/admin-guide/devices.txt).
// Others are not opened again: to open a terminal's master again makes another terminal.
constexpr unsigned kFirstPtsMajor = 136, kLastPtsMajor = 143;

// Above this size written bytes are freed, and an empty buffer is not kept: a frame of 64 MiB is
// rare.
constexpr size_t kMaxKept = 1 << 20;

// A new open file description of the same pipe or terminal, whose O_NONBLOCK is ours alone; -1
// where that is impossible (no /proc, another user's pipe). Regular files are never opened again:
// the new description would have an offset of its own.
int OpenAgain(int fd, EndKind kind, int mode) {
  if (kind == EndKind::kTerminal) {
    struct stat info;
    if (fstat(fd, &info) != 0) return -1;
    const unsigned device = major(info.st_rdev);
    if (device < kFirstPtsMajor || device > kLastPtsMajor) return -1;
  } else if (kind != EndKind::kPipe) {
    return -1;
  }
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return open(path, mode | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

void CloseEnd(int* fd, Owner owner) {
  if (*fd >= 0 && owner == Owner::kHosts) {
    CoverWithNull(*fd);
    *fd = -1;
  }
  CloseDescriptor(fd);
}

bool IsInBackground(int terminal) {
  const pid_t foreground = tcgetpgrp(terminal);
  return foreground > 0 && foreground != getpgrp();
}

// Of a pipe, either end gives the number.
size_t UnreadOf(int fd) {
  int count = 0;
  if (fd < 0 || ioctl(fd, FIONREAD, &count) != 0 || count < 0) return 0;
  return static_cast<size_t>(count);
}

}  // namespace

EndKind KindOf(int fd) {
  struct stat info;
  if (fstat(fd, &info) != 0) return EndKind::kOther;
  if (S_ISFIFO(info.st_mode)) return EndKind::kPipe;
  if (S_ISSOCK(info.st_mode)) return EndKind::kSocket;
  if (S_ISREG(info.st_mode)) return EndKind::kFile;
  return isatty(fd) ? EndKind::kTerminal : EndKind::kOther;
}

void CoverWithNull(int fd) {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) {
    close(fd);
  } else if (null != fd) {
    dup2(null, fd);
    close(null);
  }
}

ReadEnd::ReadEnd(int fd, Owner owner)
    : fd_(fd), owner_(owner), kind_(owner == Owner::kOurs ? EndKind::kPipe : KindOf(fd)) {
  // Our own end is non-blocking already. Files and devices do not wait; terminals do not support
  // RWF_NOWAIT.
  if (owner == Owner::kOurs || kind_ != EndKind::kPipe) nowait_ = false;
}

ReadEnd::Outcome ReadEnd::Read(char* to, size_t* size) {
  ssize_t n = -1;
  if (kind_ == EndKind::kSocket) {
    n = recv(fd_, to, *size, MSG_DONTWAIT);
  } else if (nowait_) {
    // Another process may share the host's pipe and read it first.
    struct iovec io = {to, *size};
    n = preadv2(fd_, &io, 1, -1, RWF_NOWAIT);
    if (n < 0 && (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL || errno == EPERM)) {
      nowait_ = false;
      n = read(fd_, to, *size);
    }
  } else {
    n = read(fd_, to, *size);
  }
  return Judge(n, size);
}

int ReadEnd::OwnFd() {
  if (owner_ == Owner::kOurs || kind_ != EndKind::kPipe) return owner_ == Owner::kOurs ? fd_ : -1;
  if (!std::exchange(opened_, true)) private_fd_ = OpenAgain(fd_, kind_, O_RDONLY);
  return private_fd_;
}

ReadEnd::Outcome ReadEnd::Await(char* to, size_t* size) {
  return Judge(read(owner_ == Owner::kOurs ? fd_ : private_fd_, to, *size), size);
}

// errno is that of the read.
ReadEnd::Outcome ReadEnd::Judge(ssize_t n, size_t* size) const {
  if (n > 0) {
    *size = static_cast<size_t>(n);
    return Outcome::kBytes;
  }
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return Outcome::kNothing;
  if (n < 0 && errno == EIO && kind_ == EndKind::kTerminal && IsInBackground(fd_)) {
    // SIGTTIN is blocked here, so the kernel fails the read. It is not raised on behalf of the
    // plugin, which may not want to read at all. A plugin that ignores SIGTTIN would get this error
    // on each read, so that its input ends here.
    struct sigaction host;
    const bool ignored = sigaction(SIGTTIN, nullptr, &host) == 0 && host.sa_handler == SIG_IGN;
    return ignored ? Outcome::kEof : Outcome::kInBackground;
  }
  return Outcome::kEof;
}

size_t ReadEnd::Unread() const { return UnreadOf(fd_); }
// Of a socket or a terminal it would count what comes from there.
size_t WriteEnd::Unread() const { return kind_ == EndKind::kPipe ? UnreadOf(fd_) : 0; }

void ReadEnd::Close() {
  CloseEnd(&private_fd_, Owner::kOurs);
  CloseEnd(&fd_, owner_);
}

void ReadEnd::CloseOurs() {
  if (owner_ == Owner::kHosts) CloseEnd(&private_fd_, Owner::kOurs);
  if (owner_ == Owner::kOurs) Close();
}

WriteEnd::WriteEnd(int fd, Owner owner)
    : fd_(fd), owner_(owner), kind_(owner == Owner::kOurs ? EndKind::kPipe : KindOf(fd)) {
  if (owner == Owner::kHosts) private_fd_ = OpenAgain(fd, kind_, O_WRONLY);
}

void WriteEnd::Write(std::string_view bytes) {
  if (fd_ < 0) return;
  if (pending() == 0) bytes.remove_prefix(WriteSome(bytes));
  if (fd_ >= 0 && !reader_gone_) pending_.append(bytes);
}

void WriteEnd::Flush() {
  if (fd_ < 0) return;
  written_ += WriteSome(std::string_view(pending_).substr(written_));
  if (pending() > 0) {
    // With a caller that keeps adding, the buffer never becomes empty: free the written bytes.
    if (written_ < kMaxKept || written_ < pending()) return;
    pending_.erase(0, written_);
    written_ = 0;
    return;
  }
  pending_.clear();
  if (pending_.capacity() > kMaxKept) pending_.shrink_to_fit();
  written_ = 0;
  if (closing_) Drop();
}

void WriteEnd::CloseWhenFlushed() {
  closing_ = true;
  if (pending() == 0) Drop();
}

void WriteEnd::Drop() {
  pending_.clear();
  written_ = 0;
  CloseEnd(&private_fd_, Owner::kOurs);
  CloseEnd(&fd_, owner_);
}

void WriteEnd::CloseOurs() {
  if (owner_ == Owner::kHosts) fd_ = -1;
  Drop();
}

size_t WriteEnd::WriteSome(std::string_view bytes) {
  size_t done = 0;
  while (done < bytes.size() && !reader_gone_) {
    const char* from = bytes.data() + done;
    size_t size = bytes.size() - done;
    ssize_t n;
    if (kind_ == EndKind::kSocket) {
      n = send(fd_, from, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    } else if (owner_ == Owner::kOurs || private_fd_ >= 0) {
      n = write(private_fd_ >= 0 ? private_fd_ : fd_, from, size);
    } else {
      if (kind_ != EndKind::kFile) {
        // A blocking pipe that polls writable takes PIPE_BUF bytes without blocking, and no more.
        PollSlot room[] = {ForWrite(fd_)};
        if (Poll(room, 0) <= 0) break;
        size = std::min<size_t>(size, PIPE_BUF);
      }
      n = write(fd_, from, size);
    }
    if (n >= 0) {
      done += static_cast<size_t>(n);
      if (static_cast<size_t>(n) < size && kind_ != EndKind::kFile) break;  // it is full
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      reader_gone_ = true;
    }
  }
  sent_ += done;
  return done;
}

}  // namespace midwire::io
