// Whether what is tested is sanitized; the tests themselves may not be, see CMakeLists.txt.
// Sanitizers reserve terabytes of addresses, which no limit of a test may forbid, and have a heap
// of their own.
#pragma once

extern "C" {
// Their runtimes have these.
void __asan_init() __attribute__((weak));
void __tsan_init() __attribute__((weak));
}

namespace midwire {

inline bool IsSanitized() { return __asan_init != nullptr || __tsan_init != nullptr; }

// How many of something show that time does not grow with its square. A sanitizer looks for other
// faults, which a tenth shows too.
inline int Many(int count) { return IsSanitized() ? count / 10 : count; }

}  // namespace midwire
