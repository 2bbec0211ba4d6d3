// The two clocks of a recording, as a seam for tests: what time it is for people, and how much time
// has passed. The wall clock is read once: a session's times never jump.
#pragma once

#include <time.h>

#include <cstdint>

namespace midwire::proxy {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t MonotonicNs() const = 0;
  virtual int64_t UnixNs() const = 0;
};

class SystemClock : public Clock {
 public:
  int64_t MonotonicNs() const override { return Read(CLOCK_MONOTONIC); }
  int64_t UnixNs() const override { return offset_ + MonotonicNs(); }

 private:
  static int64_t Read(clockid_t id) {
    timespec now;
    clock_gettime(id, &now);  // answered by the vDSO, without a system call
    return now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec;
  }
  const int64_t offset_ = Read(CLOCK_REALTIME) - Read(CLOCK_MONOTONIC);
};

}  // namespace midwire::proxy
