// Counts, over several runs of a replay, the differences that no --ignore can change: missing or
// extra messages, an early end, an error in place of a result. `midwire replay --suggest-ignores`
// reports them, because its suggestions say nothing of a plugin that does not work. Runs nothing.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "trace/report/replay_report.h"

namespace midwire::tools {

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
