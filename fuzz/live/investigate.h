// From something that an oracle saw once to a finding worth keeping: is it there on a fresh
// process, and what is the least that shows it? Plays lives on a target; decides nothing about
// files.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "fuzz/case.h"
#include "fuzz/live/target.h"

namespace midwire::fuzz {

// A life is played so often to be believed; who shows it only now and then is called flaky.
inline constexpr int kTries = 3;

// Less time for one finding does not tell whether it is one.
inline constexpr int64_t kLeastInvestigation = 2'000'000'000;

struct InvestigateOptions {
  int64_t max_time_ns = 20'000'000'000;  // for one finding, but for a play that is under way
  size_t max_tests = 2000;
  int patience = 2;  // times the time for an answer, while it is reduced
  // Of one that shows another key when it is played message by message: whether that is known.
  // Then the result is that finding, and nothing more is found out.
  std::function<bool(const Finding&)> known;
  // Asked between lives: true ends the reduction with what it has.
  std::function<bool()> stop;
};

struct Investigated {
  Case life;
  Finding finding;  // as the reduced life shows it
  Transcript transcript;
  int hits = 0, tries = 0;  // on fresh processes; no hit: it was seen once, in a long run
  size_t tests = 0;
  bool finished = false;  // nothing smaller was left to try; false: the time was over, or stopped
};

// `target` is right behind the run that made the finding: its history is what the peer was told. Of
// a run that said much at once the finding that results may have another key: it tells the place.
Result<Investigated> Investigate(Target* target, Finding finding,
                                 const InvestigateOptions& options);

// What is kept of one that was not seen again, or cannot be played: all that the process was told.
Investigated SeenOnce(const Target& target, Finding finding);

// Whether a play shows what is to be kept; fills in *finding.
using Shows = std::function<bool(const std::vector<Finding>&, const Transcript&, Finding* finding)>;

// Reduces a life that shows it. `tries`: plays before a life counts as one that does not. The same
// for `midwire reduce`.
Result<Investigated> ReduceCase(Target* target, Case life, const Shows& shows, int tries,
                                const InvestigateOptions& options);

// The finding of that key among those that one play gave; nullptr: it is not there.
const Finding* FindKey(const std::vector<Finding>& findings, const std::string& key);

}  // namespace midwire::fuzz
