// The feedback of a peer, in three tiers. Any peer gives feedback by its answers. A peer built by
// afl-clang-fast or afl-gcc-fast also counts its edges in the shared memory that __AFL_SHM_ID
// names; a peer built with `midwire cov-flags` counts them in ours. Used by the engine. libFuzzer
// reads the counters in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/coverage/memory.h"
#include "fuzz/mutate/comparisons.h"
#include "wire/outcome/result.h"

namespace midwire::fuzz {

enum class Tier : uint8_t { kResponses, kAfl, kOurs };
std::string_view Name(Tier tier);  // "responses", "AFL edges", "edges and compares"

class Coverage {
 public:
  Coverage() = default;
  ~Coverage();
  Coverage(const Coverage&) = delete;
  Coverage& operator=(const Coverage&) = delete;

  // An error: no shared memory is available.
  Status Create(const std::vector<std::string>& argv);
  // Variables for the peer's environment.
  std::vector<std::string> Environment() const;
  // After the peer has run: the tier whose map it has filled.
  Tier Detect() const;
  // The counters of that tier; page-aligned.
  std::span<uint8_t> Edges(Tier tier) const;
  // The counters of response features, in every tier.
  std::span<uint8_t> Responses() const { return {responses_, kResponseCounters}; }
  // Sets all counters to zero.
  void Clear(Tier tier) const;
  // Starts a run: from now on comparisons are reported, earlier ones are dropped.
  void NextRun() const;
  // Comparisons with a constant since then that never succeeded, as the peer reports them:
  // untrusted.
  std::vector<Compare> Compares(Tier tier) const;

 private:
  static constexpr size_t kResponseCounters = 8192;
  struct Segment {
    int id = -1;
    uint8_t* at = nullptr;
    size_t size = 0;
    Status Open(size_t size);
  };
  CoverageMemory* memory() const { return reinterpret_cast<CoverageMemory*>(ours_.at); }

  Segment ours_, afl_;  // ours: a CoverageMemory
  uint8_t* responses_ = nullptr;
};

// Restores the counters at its end as they were at its beginning: the plays of an investigation are
// not what an input did. Without its own counts, libFuzzer would take the input for one without
// features, and exit if it is the first.
class KeptCounters {
 public:
  KeptCounters(const Coverage& coverage, Tier tier);
  ~KeptCounters();
  KeptCounters(const KeptCounters&) = delete;
  KeptCounters& operator=(const KeptCounters&) = delete;

 private:
  struct Kept {
    std::span<uint8_t> counters;
    std::vector<uint8_t> values;
  };
  Kept kept_[2];
};

}  // namespace midwire::fuzz
