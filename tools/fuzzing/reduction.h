// One reduction, from a trace to the smallest cassette that still shows the behaviour to keep.
// Called by commands/reduce with its parsed arguments, and by commands/fuzz for --reduce-time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/live/host_runner.h"
#include "fuzz/live/investigate.h"
#include "fuzz/oracle/features.h"
#include "tools/fuzzing/keep.h"
#include "tools/fuzzing/replay_finding.h"

namespace midwire::tools {

struct ReductionOptions {
  // As they were given.
  std::string trace, keep, output, dialect, max_time = "60s", timeout = "2s";
  std::function<Status()> before;  // fuzz::RunnerOptions
  // Only errors of the system are reported, a signal does not end the process, and the result is
  // confirmed even if the time is over.
  bool quiet = false;
};

class Reduction {
 public:
  explicit Reduction(ReductionOptions options) : given_(std::move(options)) {}
  // Runs everything, reports on stdout and stderr, and returns the exit code.
  int Run();
  // After Run has returned kFine.
  const fuzz::Investigated& reduced() const { return reduced_; }
  const fuzz::SentSize& sent() const { return sent_; }  // in its cassette

 private:
  // The result of a step; a code ends the reduction with it.
  using Ends = std::optional<int>;
  Ends ParseOptions();
  Ends Load();
  Ends Calibrate();
  Ends PlayWhole();
  Ends CutTail();
  Ends PlayedNothing(bool nothing) const;
  Ends MakeSmaller();
  Ends PlayAgain();
  int Write();

  void NoteKeys();
  std::string Sought() const;
  std::string WhatItShows() const;
  void WarnOfLittle() const;
  std::string Path() const;
  std::string HowSure() const;
  bool smaller() const;
  bool over() const;
  // True when the time limit is over and a play that is under way has had the time of one answer
  // more.
  bool stop() const;
  const fuzz::FindingRecord* known() const { return record_ ? &*record_ : nullptr; }

  const ReductionOptions given_;
  std::string path_;
  int64_t time_ns_ = 0, timeout_ns_ = 0, end_ns_ = 0;
  std::optional<fuzz::FindingRecord> record_;  // of the finding in the trace's header
  Keep keep_;
  LoadedCase loaded_;
  fuzz::RunnerOptions options_;
  fuzz::Features features_{{}};
  std::unique_ptr<fuzz::Target> target_;
  fuzz::Shows shows_;  // whether a complete play shows the behaviour

  int tries_ = 1;                     // plays of the whole trace until it shows the behaviour
  std::vector<fuzz::Finding> first_;  // in the last play of the whole trace
  std::vector<std::string> seen_;     // keys of findings in all plays of the whole trace
  fuzz::Transcript whole_;
  fuzz::Finding finding_;
  std::optional<fuzz::Case> start_;  // what the reduction begins with, if it is less than the trace
  size_t tail_plays_ = 0;            // that looked for it
  fuzz::Investigated reduced_;
  fuzz::SentSize sent_;
};

// Replaces each of these cassettes by a smaller one, in turn, each in its share of what is left of
// `time_ns`. A finding that does not show is left as it is. Ends early after a signal.
void ReduceFurther(
    const std::vector<std::string>& cassettes, int64_t time_ns,
    const std::function<Status()>& before,
    const std::function<void(const std::string& cassette, const Reduction& reduced)>& tell);

}  // namespace midwire::tools
