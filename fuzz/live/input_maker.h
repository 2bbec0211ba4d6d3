// Which inputs are made: chooses what a mutant starts from, mutates it, and leaves out what would
// only cost time. Called by the engine from libFuzzer's hooks. Sends nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/known_causes.h"
#include "fuzz/live/counters.h"
#include "fuzz/live/engine.h"
#include "fuzz/live/target.h"
#include "fuzz/mutate/comparisons.h"
#include "fuzz/mutate/first_mutants.h"
#include "fuzz/mutate/mutator.h"
#include "fuzz/seeds.h"
#include "fuzz/shutdown_methods.h"
#include "fuzz/time_share.h"

namespace midwire::fuzz {

class InputMaker {
 public:
  // Owns none of what it gets by pointer.
  InputMaker(const EngineOptions* options, const Seeds* seeds,
             const ShutdownMethods* shutdown_methods, KnownCauses* known, Counters* counters);

  // The search begins. `target`: calibrated.
  void Begin(const Target& target, int64_t now_ns);

  // libFuzzer's hooks: the mutant replaces `data`, which has room for max_size. Returns its size.
  size_t Mutate(uint8_t* data, size_t size, size_t max_size, unsigned seed);
  size_t CrossOver(std::string_view a, std::string_view b, uint8_t* out, size_t max_size,
                   unsigned seed);

  // Whether the input is one of the rare large ones.
  bool IsLarge(std::string_view bytes) const { return bytes.size() > options_->max_len; }
  // A large input has taken this time, with the start that it cost.
  void SpendLarge(int64_t ns) { large_.Spend(ns); }
  // An ordinary input was sent, and the peer has made these comparisons.
  void OnOutput(std::string_view bytes, std::vector<Compare> compares) {
    compares_.OnOutput(bytes, std::move(compares));
  }

  // The input's parts; valid until the next call.
  const Input& Parsed(std::string_view bytes);
  // The mutators that made the input; "": it is not the last mutant.
  std::string AncestryOf(std::string_view bytes) const {
    return bytes == mutant_ ? AncestryText(ancestry_) : "";
  }

 private:
  size_t MutateFirst(uint8_t* data, size_t max_size, uint64_t seed);
  size_t MutateLarge(uint8_t* data, size_t max_size, uint64_t seed);
  Input Mutant(std::string_view parent, uint64_t seed);
  Input Recorded(uint64_t seed) const;
  size_t Put(const Input& input, uint8_t* out, size_t otherwise, size_t max_size);

  const EngineOptions* options_;
  const Seeds* seeds_;
  const ShutdownMethods* shutdown_methods_;
  KnownCauses* known_;
  Counters* counters_;
  Mutator mutator_;
  std::optional<FirstMutants> first_;  // while there are some
  CompareMemory compares_;
  TimeShare large_;
  uint64_t breaks_one_in_ = 1;
  int64_t begin_ = 0;  // of the search
  Input parsed_;       // the last input, parsed
  std::string parsed_bytes_;
  std::string mutant_;  // the last mutant and its ancestry
  Ancestry ancestry_;
};

}  // namespace midwire::fuzz
