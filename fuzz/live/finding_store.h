// What a job knows of its findings: which keys it has seen, and the folder where they are kept,
// which it shares with other jobs and with campaigns before. Tells the campaign of each in a line
// of JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "fuzz/finding.h"
#include "fuzz/live/counters.h"
#include "fuzz/live/investigate.h"

namespace midwire::fuzz {

class FindingStore {
 public:
  using LineSink = std::function<void(const std::string& line)>;
  // folder: of the findings. kept: names of those that were there before the campaign. The
  // counters are the job's, and are used, not owned.
  FindingStore(std::string folder, std::set<std::string> kept, Counters* counters, LineSink tell);

  // Whether a finding of this key is kept, by this job or another, this campaign or another.
  bool Keeps(const Finding& finding) const;
  // A finding was seen. False: one of its key was, and need not be looked at again. exact: its key
  // tells the place for sure, as when each answer was waited for.
  bool See(const Finding& finding, bool exact);
  // It has turned out to have another key: one of its own key that is exact is to be looked at.
  void Misplaced(const Finding& finding);
  // It was not seen a second time, and may have been none: it may be seen again, so often.
  void Doubt(const Finding& finding);
  // Its cassette goes into the folder, and it counts.
  Status Save(const Investigated& found, std::string_view cassette, std::string_view ancestry);

  // {"event":...,"oracle":...,"key":...,"run":...}; as: the key that it has turned out to have.
  void Report(const char* event, const Finding& finding, std::string_view as = "");

 private:
  // Its path without the extension; the same for all that have its key.
  std::string NameOf(const Finding& finding) const;

  std::string folder_;
  std::set<std::string> kept_;
  Counters* counters_;
  LineSink tell_;
  std::unordered_set<std::string> seen_;       // keys; these hold some of them:
  std::unordered_set<std::string> misplaced_;  // that were never found where they say
  std::unordered_map<std::string, int> doubts_;
};

}  // namespace midwire::fuzz
