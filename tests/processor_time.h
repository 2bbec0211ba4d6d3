// Bounds for tests that must not take forever: processor time, which other programs on a busy
// machine do not add to.
#pragma once

#include <time.h>

#include <chrono>

namespace midwire {

// That this process has used so far.
inline std::chrono::nanoseconds ProcessorTime() {
  timespec used = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace midwire
