// The output of `midwire fuzz`: each finding when it is found, one status line on a terminal, a
// summary with the findings again, the worst first; or JSON Lines. Findings go to stdout, progress
// to stderr. Called by commands/fuzz.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/finding.h"
#include "fuzz/live/campaign.h"
#include "tools/fuzzing/alike_findings.h"
#include "tools/output.h"
#include "wire/json/value.h"

namespace midwire::tools {

class FuzzStatus {
 public:
  explicit FuzzStatus(bool json);

  // A line of a job.
  void OnLine(const std::string& line);
  // Now and then.
  void OnTotals(const fuzz::Totals& totals, int64_t elapsed_ns, int64_t now_ns);
  // Cassettes of findings that are not fully reduced.
  const std::vector<std::string>& unfinished() const { return unfinished_; }
  // One of them is smaller now.
  void OnReduced(const std::string& cassette, const fuzz::Investigated& reduced,
                 const fuzz::SentSize& sent);
  // Writes to the saved findings what was found like them. Before Finish, which counts them.
  Status SaveLike() { return like_.Write(); }
  // The end. `folder`: where the findings are.
  int Finish(const fuzz::Totals& totals, int64_t elapsed_ns, std::string_view folder);
  bool failed() const { return failed_; }  // a job reported an error
  bool found() const { return found_; }    // a job reported a finding that is more than a note

 private:
  void ClearStatus();
  void OnFinding(const wire::Json& event);
  void WriteWorstFirst();

  const bool json_, terminal_;
  bool status_shown_ = false, ready_ = false, failed_ = false, found_ = false;
  int64_t shown_ns_ = 0;
  struct Listed {
    fuzz::FindingRank rank;
    std::string start, text, cassette;  // start: severity and oracle
  };
  std::vector<Listed> listed_;
  AlikeFindings like_;
  std::vector<std::string> unfinished_;
  uint64_t unlisted_ = 0;
  Output output_;
};

}  // namespace midwire::tools
