// midwire-cov.o: what a plugin is linked with so that `midwire fuzz` sees its edges and compares
// (`midwire cov-flags` prints the line). The compiler's instrumentation calls these functions
// (https://releases.llvm.org/14.0.0/tools/clang/docs/SanitizerCoverage.html); they count in the
// memory that MIDWIRE_COVERAGE_SHM names, and without it in nothing. Needs no library but libc; is
// itself not instrumented. The layout is that of fuzz/live/coverage.h.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/shm.h>

namespace {

constexpr size_t kHeader = 4096, kCompares = 16 * 1024, kEdges = 256 * 1024;

uint8_t* memory;
uint32_t guards;

void Attach() {
  static bool tried;
  if (tried) return;
  tried = true;
  const char* id = getenv("MIDWIRE_COVERAGE_SHM");
  if (id == nullptr) return;
  void* at = shmat(atoi(id), nullptr, 0);
  if (at != reinterpret_cast<void*>(-1)) memory = static_cast<uint8_t*>(at);
}

inline void Count(uint8_t* counter) {
  if (*counter != 255) ++*counter;
}

// Each further bit in which two compared values agree is progress (libFuzzer's value profile). Seen
// or not, and not how often: a session compares thousands of times, and if each count of each were
// something new, nearly every input would be, and the corpus would be all that was ever tried.
inline void Compare(const void* pc, uint64_t a, uint64_t b) {
  if (memory == nullptr) return;
  const auto differ = static_cast<uint64_t>(__builtin_popcountll(a ^ b));
  // From here, as the kernel loads the program elsewhere each time: else after each start all that
  // was seen would be new.
  const auto place = reinterpret_cast<uintptr_t>(pc) - reinterpret_cast<uintptr_t>(&guards);
  const uint64_t hash = (place * 0x9E3779B97F4A7C15u >> 40) + differ * 7919;
  memory[kHeader + hash % kCompares] = 1;
}

}  // namespace

#define PC __builtin_return_address(0)

extern "C" {

void __sanitizer_cov_trace_pc_guard_init(uint32_t* start, uint32_t* stop) {
  if (start == stop || *start != 0) return;
  Attach();
  for (uint32_t* guard = start; guard < stop; ++guard) *guard = ++guards;
  if (memory != nullptr) *reinterpret_cast<uint32_t*>(memory) = guards;
}
void __sanitizer_cov_trace_pc_guard(uint32_t* guard) {
  if (memory != nullptr) Count(memory + kHeader + kCompares + *guard % kEdges);
}
void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) { Compare(PC, a, b); }
void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) { Compare(PC, a, b); }
void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) { Compare(PC, a, b); }
void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) { Compare(PC, a, b); }
void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) { Compare(PC, a, b); }
// cases[0] is their number, cases[1] the bits of the value, then the cases.
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t* cases) {
  if (cases[1] < 16) return;
  for (uint64_t i = 0; i < cases[0]; ++i)
    Compare(static_cast<const char*>(PC) + i, value, cases[i + 2]);
}
// A byte is guessed, and an edge tells. Two variables of 8 bytes are mostly pointers, or a place in
// a text and its end: they agree in other bits each time, and that says nothing.
void __sanitizer_cov_trace_cmp1(uint8_t, uint8_t) {}
void __sanitizer_cov_trace_const_cmp1(uint8_t, uint8_t) {}
void __sanitizer_cov_trace_cmp8(uint64_t, uint64_t) {}
void __sanitizer_cov_trace_div4(uint32_t) {}
void __sanitizer_cov_trace_div8(uint64_t) {}
void __sanitizer_cov_trace_gep(uintptr_t) {}
void __sanitizer_cov_trace_pc_indir(uintptr_t) {}
}
