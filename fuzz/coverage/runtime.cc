// midwire-cov.o: linked to a plugin to give `midwire fuzz` its coverage and comparisons (`midwire
// cov-flags` prints the flags). The compiler's instrumentation calls these functions
// (https://releases.llvm.org/14.0.0/tools/clang/docs/SanitizerCoverage.html). They count edges in
// the shared memory (memory.h) that a variable of the environment names, and without it do nothing.
// They also report failed comparisons with a constant. Needs only libc; is not instrumented itself.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/shm.h>

#include "fuzz/coverage/memory.h"

using midwire::fuzz::CompareReport;
using midwire::fuzz::CoverageMemory;
using midwire::fuzz::kForgotten;
using midwire::fuzz::kMaxReports;
using midwire::fuzz::kMaxReportText;

// Defined by the linker: start of the program, end of its initialized data.
extern "C" __attribute__((weak)) char __executable_start, edata;

namespace {

// Places that compare with a constant. A place whose comparison once succeeded is not reported any
// more: the edge behind it is known, and comparisons of parsers would crowd out all others.
struct Site {
  uint32_t place, run;  // run: the last one with a report
  uint64_t last;
  uint8_t reports, equal;
};
constexpr size_t kSites = 8192, kProbes = 4;  // more than most programs have; the rest
                                              // is not reported
constexpr uint8_t kReportsOfSite = 3;         // per run: a loop must not fill the ring

CoverageMemory* memory;
uint32_t guards;
Site sites[kSites];

void Attach() {
  static bool tried;
  if (tried) return;
  tried = true;
  const char* id = getenv(midwire::fuzz::kCoverageVariable);
  if (id == nullptr) return;
  void* at = shmat(atoi(id), nullptr, 0);
  if (at != reinterpret_cast<void*>(-1)) memory = static_cast<CoverageMemory*>(at);
}

inline void Count(uint8_t* counter) {
  if (*counter != 255) ++*counter;
}

// Addresses are relative to this, because the kernel loads the program elsewhere each time:
// otherwise everything would be new after each start.
inline uintptr_t PlaceOf(const void* at) {
  return reinterpret_cast<uintptr_t>(at) - reinterpret_cast<uintptr_t>(&guards);
}

// Each further bit in which two compared values agree is progress (libFuzzer's value profile).
// Counted as seen or not: a session compares thousands of times, and if each count were new, nearly
// every input would enter the corpus.
inline void Compare(const void* pc, uint64_t a, uint64_t b) {
  if (memory == nullptr) return;
  const auto differ = static_cast<uint64_t>(__builtin_popcountll(a ^ b));
  const uint64_t hash = (PlaceOf(pc) * 0x9E3779B97F4A7C15u >> 40) + differ * 7919;
  memory->compares[hash % midwire::fuzz::kCompareCounters] = 1;
}

Site* SiteOf(const void* pc) {
  const auto place = static_cast<uint32_t>(PlaceOf(pc));
  const uint32_t hash = place * 0x9E3779B1u >> 16;
  for (uint32_t i = 0; i < kProbes; ++i) {
    Site* site = &sites[(hash + i) % kSites];
    if (site->place == 0) site->place = place;
    if (site->place == place) return site;
  }
  return nullptr;
}

// A place in the ring, or none if it was reported before.
CompareReport* NextReport(Site* site, uint64_t what) {
  midwire::fuzz::CoverageHeader& header = memory->header;
  if (site->run != header.run) {
    site->run = header.run;
    site->reports = 0;
  } else if (site->reports == kReportsOfSite || site->last == what) {
    return nullptr;
  }
  ++site->reports;
  site->last = what;
  CompareReport* report = &memory->reports[header.reports++ % kMaxReports];
  report->place = site->place;
  return report;
}

// Its earlier reports of this run are withdrawn.
void Equal(Site* site) {
  site->equal = 1;
  if (site->run != memory->header.run) return;
  for (CompareReport& report : memory->reports) {
    if (report.place == site->place) report.width = kForgotten;
  }
}

inline bool Wanted() { return memory != nullptr && memory->header.run != 0; }

// Constants of null checks, three-way results and overflow checks: such values are not written in
// messages, and compilers compare with little else.
inline bool IsUsual(uint64_t wanted) { return wanted <= 1 || wanted + (1ull << 62) >= 1ull << 63; }

inline void Number(const void* pc, uint64_t wanted, uint64_t seen, uint8_t width) {
  if (!Wanted() || IsUsual(wanted)) return;
  Site* site = SiteOf(pc);
  if (site == nullptr || site->equal != 0) return;
  if (wanted == seen) {
    Equal(site);
  } else if (CompareReport* report = NextReport(site, seen)) {
    report->width = width;
    __builtin_memcpy(report->seen, &seen, sizeof seen);
    __builtin_memcpy(report->wanted, &wanted, sizeof wanted);
  }
}

// Whether it points into initialized data or code of the program, where literals are.
inline bool IsConstant(const char* at) { return at >= &__executable_start && at < &edata; }

// The first `size` bytes were compared, and no more of the other side may be read. The literal may
// be longer: a program that compares the bytes it has then compares lengths.
void Text(const char* a, const char* b, size_t size, bool same) {
  if (!Wanted() || IsConstant(a) == IsConstant(b)) return;
  const char* wanted = IsConstant(a) ? a : b;
  const char* seen = wanted == a ? b : a;
  // The comparison may be in a library function, which is called for all literals.
  Site* site = SiteOf(wanted);
  if (site == nullptr || site->equal != 0) return;
  uint8_t seen_size = 0, wanted_size = 0;
  uint64_t hash = size;
  for (; seen_size < size && seen_size < kMaxReportText; ++seen_size) {
    hash = hash * 31 + static_cast<uint8_t>(seen[seen_size]);
  }
  while (wanted_size < kMaxReportText && wanted + wanted_size < &edata &&
         (wanted[wanted_size] != 0 || wanted_size < seen_size)) {
    ++wanted_size;
  }
  if (same && (wanted_size == seen_size || seen_size == kMaxReportText)) {
    Equal(site);
  } else if (CompareReport* report = NextReport(site, hash)) {
    report->width = 0;
    report->seen_size = seen_size;
    report->wanted_size = wanted_size;
    for (uint8_t i = 0; i < seen_size; ++i) report->seen[i] = static_cast<uint8_t>(seen[i]);
    for (uint8_t i = 0; i < wanted_size; ++i) report->wanted[i] = static_cast<uint8_t>(wanted[i]);
  }
}

// Both end at a NUL or after `max` bytes.
size_t Both(const char* a, const char* b, size_t max) {
  size_t size = 0;
  while (size < max && size < kMaxReportText && a[size] != 0 && b[size] != 0) ++size;
  return size;
}

}  // namespace

#define PC __builtin_return_address(0)

extern "C" {

void __sanitizer_cov_trace_pc_guard_init(uint32_t* start, uint32_t* stop) {
  if (start == stop || *start != 0) return;
  Attach();
  for (uint32_t* guard = start; guard < stop; ++guard) *guard = ++guards;
  if (memory != nullptr) memory->header.guards = guards;
}
void __sanitizer_cov_trace_pc_guard(uint32_t* guard) {
  if (memory != nullptr) Count(&memory->edges[*guard % midwire::fuzz::kEdgeCounters]);
}
void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) { Compare(PC, a, b); }
void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) { Compare(PC, a, b); }
void __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b) { Number(PC, a, b, 1); }
void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) {
  Compare(PC, a, b);
  Number(PC, a, b, 2);
}
void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) {
  Compare(PC, a, b);
  Number(PC, a, b, 4);
}
void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) {
  Compare(PC, a, b);
  Number(PC, a, b, 8);
}
// cases[0] is their number, cases[1] the bits of the value, then the cases.
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t* cases) {
  for (uint64_t i = 0; i < cases[0]; ++i) {
    const void* const place = static_cast<const char*>(PC) + i;
    if (cases[1] >= 16) Compare(place, value, cases[i + 2]);
    Number(place, cases[i + 2], value, static_cast<uint8_t>(cases[1] / 8));
  }
}
// Single bytes agree by chance, and an edge shows when they do. Two variables of 8 bytes are mostly
// pointers, or a position in a text and its end: they agree in other bits each time, which means
// nothing.
void __sanitizer_cov_trace_cmp1(uint8_t, uint8_t) {}
void __sanitizer_cov_trace_cmp8(uint64_t, uint64_t) {}
void __sanitizer_cov_trace_div4(uint32_t) {}
void __sanitizer_cov_trace_div8(uint64_t) {}
void __sanitizer_cov_trace_gep(uintptr_t) {}
void __sanitizer_cov_trace_pc_indir(uintptr_t) {}

// A sanitizer's runtime calls these hooks. Without one, the weak functions below replace libc's; a
// sanitizer's strong ones take precedence.
void __sanitizer_weak_hook_memcmp(void*, const char* a, const char* b, size_t size, int result) {
  Text(a, b, size, result == 0);
}
void __sanitizer_weak_hook_strcmp(void*, const char* a, const char* b, int result) {
  Text(a, b, Both(a, b, SIZE_MAX), result == 0);
}
void __sanitizer_weak_hook_strncmp(void*, const char* a, const char* b, size_t max, int result) {
  Text(a, b, Both(a, b, max), result == 0);
}

#define STANDS_IN __attribute__((weak))

STANDS_IN int memcmp(const void* a, const void* b, size_t size) {
  const auto *x = static_cast<const char*>(a), *y = static_cast<const char*>(b);
  size_t i = 0;
  for (uint64_t v, w; size - i >= sizeof v; i += sizeof v) {
    __builtin_memcpy(&v, x + i, sizeof v);
    __builtin_memcpy(&w, y + i, sizeof w);
    if (v != w) break;
  }
  while (i < size && x[i] == y[i]) ++i;
  Text(x, y, size, i == size);
  return i == size ? 0 : static_cast<uint8_t>(x[i]) - static_cast<uint8_t>(y[i]);
}
STANDS_IN int bcmp(const void* a, const void* b, size_t size) { return memcmp(a, b, size); }
STANDS_IN int strncmp(const char* a, const char* b, size_t max) {
  size_t i = 0;
  while (i < max && a[i] == b[i] && a[i] != 0) ++i;
  const bool same = i == max || a[i] == b[i];
  Text(a, b, Both(a, b, max), same);
  return same ? 0 : static_cast<uint8_t>(a[i]) - static_cast<uint8_t>(b[i]);
}
STANDS_IN int strcmp(const char* a, const char* b) { return strncmp(a, b, SIZE_MAX); }
}
