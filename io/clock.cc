#include "io/clock.h"

namespace midwire::io {
namespace {

int64_t Read(clockid_t id) {
  timespec now;
  clock_gettime(id, &now);  // answered by the vDSO, without a system call
  return Nanoseconds(now);
}

}  // namespace

int64_t MonotonicNow() { return Read(CLOCK_MONOTONIC); }

void SleepFor(int64_t ns) {
  const timespec time = {ns / kSecond, ns % kSecond};
  nanosleep(&time, nullptr);
}

std::string UtcStamp(int64_t unix_ns) {
  const time_t seconds = unix_ns / kSecond;
  struct tm parts;
  gmtime_r(&seconds, &parts);
  char text[32];
  strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
  return text;
}

SystemClock::SystemClock() : offset_(Read(CLOCK_REALTIME) - Read(CLOCK_MONOTONIC)) {}

}  // namespace midwire::io
