// The clocks: the monotonic one for deadlines, the wall clock for people. No other room reads one.
// The recorder gets both through the interface `Clock`, so that tests can set them.
#pragma once

#include <time.h>

#include <cstdint>
#include <limits>
#include <string>

namespace midwire::io {

// In nanoseconds.
inline constexpr int64_t kSecond = 1'000'000'000;
// As a deadline or a timeout.
inline constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// A time of the kernel, as of clock_gettime(2) and stat(2).
inline int64_t Nanoseconds(const timespec& time) {
  return static_cast<int64_t>(time.tv_sec) * kSecond + time.tv_nsec;
}
// Nanoseconds of the monotonic clock.
int64_t MonotonicNow();
// Returns early when a signal handler has run.
void SleepFor(int64_t ns);
// UTC, for a file name: 20260131T235959Z.
std::string UtcStamp(int64_t unix_ns);

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t MonotonicNs() const = 0;
  virtual int64_t UnixNs() const = 0;
};

// Reads the wall clock once, at construction: the times of a session never jump.
class SystemClock : public Clock {
 public:
  SystemClock();
  int64_t MonotonicNs() const override { return MonotonicNow(); }
  int64_t UnixNs() const override { return offset_ + MonotonicNow(); }

 private:
  const int64_t offset_;
};

}  // namespace midwire::io
