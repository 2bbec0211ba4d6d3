// The first mutants of a search, in a fixed order: what programs get wrong most often, and a random
// search tries late. Each number of a recorded message becomes 0, -1 and the largest, each boolean
// the other one; each array is emptied and each member left out. Called by fuzz/live before
// libFuzzer's mutants. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/mutate/mutator.h"

namespace midwire::fuzz {

class FirstMutants {
 public:
  struct Options {
    // A plugin that needs 10 ms for one is done with them in 5 s.
    size_t most = 500;  // of more, each method gets as many
    // They are shared by jobs: those of one job begin at `job` and are `jobs` apart.
    size_t job = 0, jobs = 1;
    int64_t alone_ns = 5'000'000'000;  // of the search: until then, there are no other mutants
  };
  // The inputs are not owned.
  FirstMutants(const std::vector<Input>* recorded, const Options& options);

  // Whether the next one is due after so much of the search. When the time for them alone is over,
  // one mutant in kLaterIn is: a slow plugin's run is not spent on them.
  static constexpr uint64_t kLaterIn = 4;
  bool IsDue(int64_t elapsed_ns, uint64_t seed) const {
    return elapsed_ns < options_.alone_ns || seed % kLaterIn == 0;
  }
  // The next mutant, and what made it. False: there is none left.
  bool Next(Input* mutant, Ancestry* ancestry);

 private:
  // Bytes of the body of a part that are replaced.
  struct Edit {
    size_t input = 0, part = 0, at = 0, size = 0;
    std::string with{};
    const MutatorSpec* kind = nullptr;
  };
  friend class FirstEdits;

  const Options options_;
  const std::vector<Input>* recorded_;
  std::vector<Edit> edits_;
  size_t next_;
};

}  // namespace midwire::fuzz
