// What a peer compared with a constant that was something else, as its coverage runtime tells it
// (fuzz/live/coverage.h), and the memory of a campaign for what is new of it. The mutators of
// fuzz/mutate_wanted.cc look for what was seen and put what was wanted in its place, as Redqueen
// does (Aschermann et al., NDSS 2019). Pure; the peer may have told anything.
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
  uint32_t place = 0;  // which compare of the peer's
  // Of a number: its bytes, 1, 2, 4 or 8, and what it was and should have been, zero-extended. 0:
  // of text, the beginnings of two texts.
  int width = 0;
  uint64_t seen = 0, wanted = 0;
  std::string seen_text, wanted_text;
};

// A compare for which little was written yet is news: behind the first letter of a word is the
// compare of the second. The input that showed it is mutated there and then, while it can be said
// what to write; libFuzzer would come back to it once in hundreds of runs.
class CompareMemory {
 public:
  struct News {
    std::string bytes;  // the input
    std::vector<Compare> compares;
    size_t tries = 0;  // left
    std::unordered_set<uint64_t> made;
  };

  // What the peer compared while it heard these bytes.
  void Heard(std::string_view bytes, std::vector<Compare> compares);
  // Of the last input. libFuzzer mutates an input up to five times in a row, each time what it has
  // just run, so it mostly is the one at hand.
  const std::vector<Compare>& last() const { return last_; }
  // What to try now; each call is a try. Null: nothing.
  News* Next(uint64_t seed);
  // A mutant of it for the sake of that compare. False: that was made of it already.
  bool Made(News* news, std::string_view mutant, const Compare& compare);

 private:
  std::unordered_map<uint32_t, int> made_;  // mutants, by place
  std::vector<Compare> last_;
  std::deque<News> news_;
};

}  // namespace midwire::fuzz
