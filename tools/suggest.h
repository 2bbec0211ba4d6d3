// Finds what changes from run to run: the places that differ from the trace in another way each
// time. `midwire replay --suggest-ignores` prints them in the form that --ignore takes.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "replay/matcher.h"

namespace midwire::tools {

class Suggestions {
 public:
  void AddRun(const std::vector<replay::Matcher::Varying>& varying);
  // A place a line, sorted; then the header line that declares them in a cassette. Says so when
  // there is none.
  void Append(std::string* out) const;

 private:
  size_t runs_ = 0;
  // What each place held in each run, in order of coming; a run in which it did not differ counts
  // as one more value.
  std::map<std::string, std::vector<std::string>> by_place_;
};

}  // namespace midwire::tools
