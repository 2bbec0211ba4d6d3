// Failed comparisons of a peer with a constant, as its coverage runtime reports them
// (fuzz/live/coverage.h), and a campaign's memory of which are new. The mutators of compare.cc
// replace the compared value in the input by the constant, as Redqueen does (Aschermann et al.,
// NDSS 2019). Pure; the reports are untrusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace midwire::fuzz {

struct Compare {
  uint32_t place = 0;  // identifies the comparison in the peer
  // Width of a number in bytes (1, 2, 4 or 8); its value and the constant are zero-extended. 0:
  // text, of which both beginnings are given.
  int width = 0;
  uint64_t seen = 0, wanted = 0;
  std::string seen_text, wanted_text;
};

// A comparison for which few mutants were made is new: after the first letter of a word matches,
// the second is compared. The input that showed it is mutated at once, while the wanted value is
// known; libFuzzer would come back to it only once in hundreds of runs.
class CompareMemory {
 public:
  struct News {
    std::string bytes;  // the input
    std::vector<Compare> compares;
    size_t tries = 0;  // left
    std::unordered_set<uint64_t> made;
  };

  // Adds the comparisons that the peer made for these bytes.
  void OnOutput(std::string_view bytes, std::vector<Compare> compares);
  // Comparisons of the last input. libFuzzer mutates an input up to five times in a row, so the
  // last input is mostly the one being mutated.
  const std::vector<Compare>& last() const { return last_; }
  // The input to try now; each call counts as a try. Null: none.
  News* Next(uint64_t seed);
  // Notes a mutant made for that comparison. False: the same mutant was made before.
  bool Made(News* news, std::string_view mutant, const Compare& compare);

 private:
  std::unordered_map<uint32_t, int> made_;  // mutants, by place
  std::vector<Compare> last_;
  std::deque<News> news_;
};

}  // namespace midwire::fuzz
