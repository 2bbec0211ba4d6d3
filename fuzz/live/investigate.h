// Turns a suspected finding into one worth keeping: confirms it on a fresh process and reduces the
// input that shows it. Plays runs on a target; writes no files. Used by the engine and by midwire
// reduce.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/case.h"
#include "fuzz/live/target.h"
#include "io/clock.h"

namespace midwire::fuzz {

// How often a run is played to confirm a finding, before the reduction and at its end. One that
// shows it only sometimes is flaky.
inline constexpr int kFirstTries = 3, kTries = 5;

// How often to play a run until it shows a finding that `hits` of `tries` plays have shown. Once if
// all have. A flaky one may take that long with one chance in a hundred or less; one that was never
// shown in a play is given up earlier.
inline constexpr int kMostPlays = 30;
int PlaysToShow(int hits, int tries);

// Less time is not enough to confirm a finding.
inline constexpr int64_t kLeastInvestigation = 2'000'000'000;

// Of the time for a finding, each of two parts: for confirming it before the reduction, and for the
// plays at its end. All findings get at most half of a run, so confirming takes a fifth of it. What
// is due anyway, one play of each kind, may exceed that.
inline constexpr int64_t kConfirmIn = 5;

struct InvestigateOptions {
  int64_t max_time_ns = 20'000'000'000;  // for one finding, except for a play that is under way
  size_t max_tests = 2000;
  int patience = 2;  // factor on the time for an answer during reduction
  // For a finding that shows another key when it is played message by message: whether that key is
  // known. Then the result is that finding, without a reduction.
  std::function<bool(const Finding&)> known;
  // Called with each smaller input that shows it too.
  std::function<void(const Input&)> shown;
  // Called between plays: true ends the reduction with the best result so far.
  std::function<bool()> stop;
  std::function<int64_t()> now = io::MonotonicNow;
};

struct Investigated {
  Case life;
  Finding finding;  // as the reduced run shows it
  Transcript transcript;
  int hits = 0, tries = 0;  // on fresh processes; no hit: it occurred once, in a long run
  size_t tests = 0;
  int64_t reducing_ns = 0;  // of the time that it took
  bool finished = false;    // nothing smaller is left to try; false: out of time, or stopped
};

// `target` has just made the finding: its history has everything sent to the peer. The cases that
// may show it: its input alone, with the last ones before it, and with all of them.
std::vector<Case> CasesOf(const Target& target, const Finding& finding);

// `cases`: what may show the finding, at least one, the shortest first. After a run that sent
// several messages at once, the resulting finding may have another key, with the right place.
Result<Investigated> Investigate(Target* target, Finding finding, std::vector<Case> cases,
                                 const InvestigateOptions& options);
inline Result<Investigated> Investigate(Target* target, Finding finding,
                                        const InvestigateOptions& options) {
  std::vector<Case> cases = CasesOf(*target, finding);
  return Investigate(target, std::move(finding), std::move(cases), options);
}

// The result for a finding that is not reproducible or cannot be played. `sent`: everything sent to
// the process.
Investigated SeenOnce(const Target& target, Case sent, Finding finding);

// Whether a play shows the behaviour to keep; fills in *finding.
using Shows = std::function<bool(const std::vector<Finding>&, const Transcript&, Finding* finding)>;

// Reduces a run that shows the behaviour. `tries`: plays before a run counts as one that does not
// show it.
Result<Investigated> ReduceCase(Target* target, Case life, const Shows& shows, int tries,
                                const InvestigateOptions& options);

bool HasKey(const std::vector<Finding>& findings, const std::string& key);
// The finding with that key among those of one play, or else with the same cause; nullptr: none.
// What only a probe shows counts if nothing else does, and not at all in an investigation, because
// no probe is in a cassette.
const Finding* FindKey(const std::vector<Finding>& findings, const std::string& key,
                       bool probes = true);

}  // namespace midwire::fuzz
