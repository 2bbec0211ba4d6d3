// The memory that midwire fuzz shares with a plugin: the runtime in the plugin (runtime.cc) writes
// it, fuzz/live/coverage reads it and starts each run in it. Freestanding, because the runtime is
// part of programs of others: no library but that of the compiler, no code.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace midwire::fuzz {

// The variable of the plugin's environment that has the id of the memory for shmat(2).
inline constexpr char kCoverageVariable[] = "MIDWIRE_COVERAGE_SHM";

inline constexpr size_t kCoveragePage = 4096;
inline constexpr size_t kCompareCounters = 16 * 1024, kEdgeCounters = 256 * 1024;
// A ring. More than a session has in a run, so that earlier ones are seldom lost.
inline constexpr uint32_t kMaxReports = 256;
inline constexpr size_t kMaxReportText = 28;

struct CoverageHeader {
  uint32_t guards;   // of the plugin; 0: it has not started, or counts nothing
  uint32_t run;      // number of the fuzzer's run, from 1; 0: no reports wanted
  uint32_t reports;  // in this run, ever increasing: the next one is at `reports % kMaxReports`
};

// A comparison with a constant that failed.
struct CompareReport {
  uint32_t place;  // relative to the program, so that it is the same after each start
  uint8_t width;   // of a number, little endian; 0: text; kForgotten: nothing
  uint8_t seen_size, wanted_size, unused;
  uint8_t seen[kMaxReportText], wanted[kMaxReportText];
};
inline constexpr uint8_t kForgotten = 255;

struct CoverageMemory {
  CoverageHeader header;
  uint8_t unused[kCoveragePage - sizeof(CoverageHeader)];
  uint8_t compares[kCompareCounters];  // by a hash of the place and the bits that differ
  uint8_t edges[kEdgeCounters];        // by guard
  CompareReport reports[kMaxReports];
};

// A plugin keeps its runtime until it is linked again, so these offsets do not change.
static_assert(sizeof(CoverageHeader) == 12 && offsetof(CoverageHeader, run) == 4 &&
              offsetof(CoverageHeader, reports) == 8);
static_assert(sizeof(CompareReport) == 64 && offsetof(CompareReport, width) == 4 &&
              offsetof(CompareReport, seen) == 8 && offsetof(CompareReport, wanted) == 36);
// libFuzzer's counters are compares and edges: one range, from a page on.
static_assert(offsetof(CoverageMemory, compares) == 4096 &&
              offsetof(CoverageMemory, edges) == 4096 + 16384 &&
              offsetof(CoverageMemory, reports) == 4096 + 16384 + 262144 &&
              sizeof(CoverageMemory) == 4096 + 16384 + 262144 + 16384);

}  // namespace midwire::fuzz
