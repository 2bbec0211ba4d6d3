// What `midwire replay --suggest-ignores` finds in several runs of a replay. Runs nothing itself.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "replay/learn/call_names.h"
#include "replay/match/variations.h"
#include "trace/report/replay_report.h"

namespace midwire::tools {

// Finds places whose value changes from run to run, and prints them in the form that --ignore
// takes.
class Suggestions : public replay::Variations {
 public:
  explicit Suggestions(const replay::CallNames* names) : names_(names) {}

  void OnVariation(const replay::Variation& variation) override;
  void EndRun();
  // Appends one place per line, sorted, then the header line that declares them in a cassette; or a
  // line if there are none.
  void Append(std::string* out) const;

 private:
  const replay::CallNames* names_;
  size_t runs_ = 0;
  size_t messages_ = 0;                     // of this run; the rest of a flood is not kept
  std::map<std::string, std::string> run_;  // the values of each place in this run
  // The values of each place in all runs, in order; a run in which it did not differ counts as one
  // more value.
  std::map<std::string, std::vector<std::string>> by_place_;
};

// Counts the differences that no --ignore can change: missing or extra messages, an early end, an
// error in place of a result. Suggestions say nothing of a plugin that does not work.
class RunFaults {
 public:
  void AddRun(const trace::ReplayReport& report);
  bool any() const { return !seen_.empty(); }
  // One line per kind of difference, with its first example.
  std::vector<std::string> Lines() const;

 private:
  int runs_ = 0;
  struct Seen {
    int runs = 0;
    std::string example;
  };
  std::map<trace::DifferenceKind, Seen> seen_;
};

}  // namespace midwire::tools
