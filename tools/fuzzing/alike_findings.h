// What was found again in other places while midwire fuzz ran, by the finding that is saved for the
// cause. Collects the jobs' events, and writes them to the cassettes at the end. Called by
// commands/fuzz and by status.h.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "wire/outcome/result.h"

namespace midwire::tools {

class AlikeFindings {
 public:
  // key: of a finding whose cause is that of the cassette, maybe its own.
  void Add(const std::string& cassette, const std::string& key);
  // Adds the keys to the header of each cassette that has them not yet, and then knows how many it
  // has. An error: a cassette is no finding any more, or cannot be written; the others are.
  Status Write();
  // After Write.
  size_t CountFor(const std::string& cassette) const;

 private:
  std::map<std::string, std::set<std::string>> keys_;
};

// " (and 12 like it)"; "": none.
std::string AndLikeIt(size_t count);

}  // namespace midwire::tools
