// One reduction, from a trace to the smallest cassette that still does it: what `midwire reduce`
// does once it has its arguments.
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
#include "tools/keep.h"
#include "tools/replay_finding.h"

namespace midwire::tools {

struct ReductionOptions {
  // As they were given.
  std::string trace, keep, output, dialect, max_time = "60s", timeout = "2s";
};

class Reduction {
 public:
  explicit Reduction(ReductionOptions options) : given_(std::move(options)) {}
  // Exit code. What is to be known is told, errors too.
  int Run();

 private:
  // A step; a code: it ends here.
  using Ends = std::optional<int>;
  Ends ParseOptions();
  Ends Load();
  Ends GetToKnow();
  Ends PlayWhole();
  Ends MakeSmaller();
  Ends PlayAgain();
  int Write();

  void WarnOfLittle() const;
  std::string Path() const;
  std::string HowSure() const;
  bool smaller() const;
  bool over() const;
  // What is under way when the time is over has the time of an answer to come to its end.
  bool stop() const;
  const fuzz::FindingRecord* known() const { return record_ ? &*record_ : nullptr; }

  const ReductionOptions given_;
  std::string path_;
  int64_t time_ns_ = 0, timeout_ns_ = 0, end_ns_ = 0;
  std::optional<fuzz::FindingRecord> record_;  // of the finding that the trace tells of
  Keep keep_;
  LoadedCase loaded_;
  fuzz::RunnerOptions options_;
  fuzz::Features features_{{}};
  std::unique_ptr<fuzz::Target> target_;
  fuzz::Shows shows_;  // what a play that came to its end has shown

  int tries_ = 1;                     // for the whole to do it
  std::vector<fuzz::Finding> first_;  // of the whole, by its last play
  fuzz::Transcript whole_;
  fuzz::Finding finding_;
  fuzz::Investigated reduced_;
};

}  // namespace midwire::tools
