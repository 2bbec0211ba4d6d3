// Descriptors on which something rarely happens, and a time, behind one descriptor that is ready
// when any of them is. To wait for seven descriptors with a timeout costs the kernel as much as to
// pass on a message; for two without one, a third of that. Used by the driver for everything but
// the two streams of messages: what is registered with epoll(7) and timerfd(2) costs nothing per
// message.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/poll.h"

namespace midwire::io {

class QuietSet {
 public:
  QuietSet() = default;
  ~QuietSet();
  QuietSet(const QuietSet&) = delete;
  QuietSet& operator=(const QuietSet&) = delete;

  // Watches exactly these from now on; costs nothing if they are those of the last call. False: it
  // cannot watch them (too many open files, or one is a file to read), so that the caller must poll
  // each of them.
  bool Watch(std::span<const PollSlot> slots);
  // After Watch has returned true. Becomes ready when the monotonic clock reaches `time_ns`, or
  // before. A timer that is armed is only moved to an earlier time, so a deadline that moves on
  // with each message costs nothing. kNever: no time.
  void WakeBy(int64_t time_ns);
  // It becomes ready by then, without another call.
  bool WakesBy(int64_t time_ns) const { return wakes_at_ <= time_ns; }
  // It was ready: forgets a time that has come.
  void ForgetTime();
  // For ForRead, after Watch has returned true.
  int fd() const { return fd_; }
  uint32_t version() const { return version_; }  // another one for each file that fd() has named

 private:
  bool Register();
  bool Add(int fd, short events);

  int fd_ = -1;     // -1: it cannot watch slots_
  int timer_ = -1;  // made once
  uint32_t version_ = 0;
  int64_t wakes_at_ = kNever;
  std::vector<PollSlot> slots_;
};

}  // namespace midwire::io
