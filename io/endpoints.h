// The ends of streams that the driver (proxy/driver.h) polls: a ReadEnd gives bytes, a WriteEnd
// takes them and keeps what its reader has no room for. Neither ever blocks, and neither ever
// changes a flag of an open file description that the host shares: a SIGKILL would leave
// O_NONBLOCK behind.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::io {

// Whether the host shares the descriptor. kOurs: our own pipe end, non-blocking, closed by
// close(2). kHosts: one of 0, 1, 2, shared with the host, closed by putting /dev/null over it, so
// that no file opened later gets its number.
enum class Owner : uint8_t { kOurs, kHosts };

// Kinds of descriptors that need different calls to read and write without blocking.
enum class EndKind : uint8_t { kPipe, kSocket, kFile, kTerminal, kOther };
EndKind KindOf(int fd);

class ReadEnd {
 public:
  ReadEnd() = default;  // absent
  ReadEnd(int fd, Owner owner);

  bool open() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  // kInBackground: a terminal that this job may not read now.
  enum class Outcome : uint8_t { kBytes, kNothing, kInBackground, kEof };
  // After poll(2) reported something. *size: room, then bytes read.
  Outcome Read(char* to, size_t* size);
  // The end of a pipe that no other process shares: ours, or the host's pipe opened again, from the
  // first call on. -1: there is none.
  int OwnFd();
  // Reads from OwnFd, and waits as long as its flags say.
  Outcome Await(char* to, size_t* size);
  size_t Unread() const;  // bytes ready to be read; 0: not known
  void Close();
  void CloseOurs();  // not the host's

 private:
  Outcome Judge(ssize_t got, size_t* size) const;

  int fd_ = -1;
  int private_fd_ = -1;  // the host's pipe, opened again for ourselves
  bool opened_ = false;  // that was tried
  Owner owner_ = Owner::kOurs;
  EndKind kind_ = EndKind::kPipe;
  bool nowait_ = true;  // preadv2(RWF_NOWAIT) has not been refused yet
};

class WriteEnd {
 public:
  WriteEnd() = default;  // absent: takes and drops everything
  WriteEnd(int fd, Owner owner);

  bool open() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  size_t pending() const { return pending_.size() - written_; }
  uint64_t sent() const { return sent_; }
  bool reader_gone() const { return reader_gone_; }
  bool closing() const { return closing_; }
  size_t Unread() const;  // bytes of a pipe that its reader has not read; 0: not known
  void SetReaderGone() { reader_gone_ = true; }

  void Write(std::string_view bytes);
  void Flush();             // after poll(2) reported room
  void CloseWhenFlushed();  // now, if nothing is pending
  void Drop();              // closes, and drops what is pending
  void CloseOurs();         // the same, but leaves the host's descriptor as it is

 private:
  size_t WriteSome(std::string_view bytes);

  int fd_ = -1;
  int private_fd_ = -1;  // the same pipe or terminal, opened again for ourselves, non-blocking
  Owner owner_ = Owner::kOurs;
  EndKind kind_ = EndKind::kPipe;
  bool reader_gone_ = false;
  bool closing_ = false;
  // For a stream with a source at most a segment and a few warnings, because the driver stops
  // reading meanwhile. A machine that generates its output limits it with Actions::Pending.
  std::string pending_;
  size_t written_ = 0;  // of pending_
  uint64_t sent_ = 0;
};

// Puts /dev/null over a descriptor (closes it where there is no /dev/null).
void CoverWithNull(int fd);

}  // namespace midwire::io
