// The findings of a job: which keys occurred, and the folder where they are saved, which it shares
// with other jobs and earlier campaigns. Reports each to the campaign as a line of JSON. Used by
// the engine.
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
  // folder: of the findings. kept: names of files that existed before the campaign. Does not own
  // the counters, which are the job's.
  FindingStore(std::string folder, std::set<std::string> kept, Counters* counters,
               LineSink print_line);

  // Whether a finding of this cause is saved, by any job of this or an earlier campaign.
  bool Keeps(const Finding& finding) const;
  // A finding occurred. False: its key occurred before and need not be investigated again. exact:
  // the key names the right place, because each answer was waited for. Such a key is reported once
  // as "like", if a finding of the same cause is saved.
  bool See(const Finding& finding, bool exact);
  // The finding has turned out to have another key. An exact one of its own key is still to be
  // investigated.
  void Misplaced(const Finding& finding);
  // The finding was not reproducible. It may be investigated again, a few times.
  void Doubt(const Finding& finding);
  // The finding was not looked at. It may be investigated when it occurs again.
  void Forget(const Finding& finding) { seen_.erase(finding.key); }
  // Writes its cassette to the folder and counts it, unless another job has saved its cause. sent:
  // what the cassette has of our messages.
  Status Save(const Investigated& found, const SentSize& sent, std::string_view cassette,
              std::string_view ancestry);

  // {"event":...,"oracle":...,"key":...,"run":...}; as: the key that it turned out to have, or for
  // "like" the cassette of its cause.
  void Report(const char* event, const Finding& finding, std::string_view as = "");

 private:
  // The name of its file without the extension, derived from its cause.
  std::string NameOf(const Finding& finding) const;
  // The name of the file of its cause; "": there is none.
  std::string KeptAs(const Finding& finding) const;
  void NoteLike(const Finding& finding);
  void NoteSeverity(const Finding& finding);

  std::string folder_;
  std::set<std::string> kept_;
  Counters* counters_;
  LineSink print_line_;
  std::unordered_set<std::string> seen_;       // keys; the two below hold some of them
  std::unordered_set<std::string> misplaced_;  // keys that named a wrong place
  std::unordered_set<std::string> like_;       // keys whose cause is saved
  std::unordered_set<std::string> known_;      // of kept_ those that occurred
  std::unordered_map<std::string, int> doubts_;
};

}  // namespace midwire::fuzz
