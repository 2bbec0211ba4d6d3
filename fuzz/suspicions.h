// Suspicions: findings that are worthless until a fresh peer shows them (IsGuess in finding.h). A
// peer on a busy machine raises many that are false, and each takes seconds to examine. So those
// that are not confirmed get a share of the run; the others wait. Owned by the triage, which has
// the clock. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/case.h"
#include "fuzz/finding.h"
#include "fuzz/time_share.h"

namespace midwire::fuzz {

struct Suspicion {
  Finding finding;
  std::vector<Case> cases;  // what may show it, the shortest first
  std::string ancestry;     // the mutators that made the last input
  bool exact = false;       // the key names the right place
  bool spent = false;       // the run has cost the peer
};

class Suspicions {
 public:
  // Part of the run for those that are not confirmed, in addition to the reserve: both together are
  // less than a fifth.
  static constexpr int64_t kOneIn = 7;
  // Part of the run at its end that is reserved for those that still wait, at least kLeastReserve:
  // each play of one may take a second.
  static constexpr int64_t kReserveIn = 20, kLeastReserve = 2'000'000'000;
  // As long as none was confirmed, so many are examined without regard to the share. Otherwise a
  // first false one, whose plays all wait for a timeout, would hide a true one for all of a short
  // run.
  static constexpr int kFirst = 3;
  static constexpr size_t kMost = 32, kMaxBytes = 16u << 20;  // of those that wait

  // run_ns: how long the run will take; 0: not known, so that there is no reserve.
  explicit Suspicions(int64_t run_ns) : run_ns_(run_ns), share_(kOneIn) {}

  // False: too much waits already. A case that is too large for the rest is left out.
  bool Add(Suspicion suspicion);
  // The next one to examine, in the order in which they occurred; nullopt: none is due.
  std::optional<Suspicion> Next(int64_t elapsed_ns);
  // Time for the one that Next has returned: in the reserve, each gets its part.
  int64_t TimeFor(int64_t elapsed_ns) const;
  // It was examined for so long.
  void OnExamined(int64_t took_ns, bool confirmed);
  // The next one, due or not: for the end of a run.
  std::optional<Suspicion> Take();
  bool empty() const { return waiting_.empty(); }

 private:
  int64_t Reserve() const;

  const int64_t run_ns_;
  TimeShare share_;
  std::deque<Suspicion> waiting_;
  size_t bytes_ = 0;  // of their cases
  int misses_ = 0;
  bool confirmed_ = false;
};

}  // namespace midwire::fuzz
