// Memory in which a peer counts its edges, shared with it: the three tiers of feedback. Any peer
// shows something by its answers; one built by afl-clang-fast or afl-gcc-fast fills a map that
// __AFL_SHM_ID names; one built with `midwire cov-flags` fills ours. The counters go to libFuzzer
// as if they were its own, without a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fuzz/mutate/comparisons.h"
#include "wire/outcome/result.h"

namespace midwire::fuzz {

enum class Tier : uint8_t { kResponses, kAfl, kOurs };
std::string_view Name(Tier tier);  // "responses", "AFL edges", "edges and compares"

// The layout of our segment, and the variable that names it; the runtime in the peer
// (fuzz/coverage/runtime.cc) has the same. A header with the number of guards that the peer has,
// the run and how much was told in it; compares by hash, then edges by guard; then what was
// compared, 256 of 64 bytes: more than what differs in a session, and read after each run.
inline constexpr size_t kCoverageHeader = 4096, kCompareCounters = 16 * 1024,
                        kEdgeCounters = 256 * 1024, kMaxCompares = 256, kCompareSize = 64;
inline constexpr size_t kCoverageSize =
    kCoverageHeader + kCompareCounters + kEdgeCounters + kMaxCompares * kCompareSize;
inline constexpr char kCoverageVariable[] = "MIDWIRE_COVERAGE_SHM";

class Coverage {
 public:
  Coverage() = default;
  ~Coverage();
  Coverage(const Coverage&) = delete;
  Coverage& operator=(const Coverage&) = delete;

  // An error: the kernel gives no shared memory.
  Status Create(const std::vector<std::string>& argv);
  // What the peer's environment needs.
  std::vector<std::string> Environment() const;
  // After the peer has run: which map it has filled, if any.
  Tier Detect() const;
  // What counts in that tier; page-aligned.
  std::span<uint8_t> Edges(Tier tier) const;
  // Of response features; always there.
  std::span<uint8_t> Responses() const { return {responses_, kResponseCounters}; }
  // All of them, to zero.
  void Clear(Tier tier) const;
  // From now on compares are told, those of before are forgotten.
  void NextRun() const;
  // What was compared with a constant since then and was never equal; as the peer tells it, so it
  // may be anything.
  std::vector<Compare> Compares(Tier tier) const;

 private:
  static constexpr size_t kResponseCounters = 8192;
  struct Segment {
    int id = -1;
    uint8_t* at = nullptr;
    size_t size = 0;
    Status Open(size_t size);
  };
  Segment ours_, afl_;
  uint8_t* responses_ = nullptr;
};

}  // namespace midwire::fuzz
