// Response features: derives counters from a peer's answers, which a coverage-guided fuzzer uses
// like counters of edges. This works for peers in any language. The idea is that of AFLNet (Pham,
// Böhme, Roychoudhury: AFLNet, a greybox fuzzer for network protocols, ICST 2020), which uses
// response codes as states. Called by ProtocolOracle for each message of the peer; never judges it.
// Pure.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>

#include "wire/message.h"

namespace midwire::fuzz {

// A hash of the names and types in a result, an error or params (raw JSON), two levels deep. It
// ignores values: otherwise each echo of what was sent would be a new state. "" has shape 0.
uint64_t ShapeOf(std::string_view value);

class Features {
 public:
  // Each counter is one byte and stops at `most`. Their number is a power of two, or 0: nothing is
  // counted. Not owned. `per_method`: so many states, and so many pairs of them, have counters; the
  // others of the method share one. A method that repeats its params has any number.
  explicit Features(std::span<uint8_t> counters, uint8_t most = 255, size_t per_method = SIZE_MAX)
      : counters_(counters), most_(most), per_method_(per_method) {}

  void OnRun() { previous_ = {}; }
  // `method`: for an answer, that of its request; "" if the protocol does not have it. `shape`:
  // that of the result, the error or the params.
  void OnMessage(const wire::Message& message, std::string_view method, uint64_t shape);

  // Number of distinct combinations of kind, method, code and shape so far.
  size_t states() const { return states_.size(); }

 private:
  void Hit(uint64_t hash);
  bool HasCounter(uint64_t hash, size_t* used);
  std::span<uint8_t> counters_;
  const uint8_t most_;
  const size_t per_method_;
  // The previous state of each method (by hash) in this run. Pairs of any two consecutive messages
  // were three times as many and guided the search less.
  static constexpr size_t kMethods = 64;
  std::array<uint64_t, kMethods> previous_ = {};
  // With a limit: the states and pairs that have a counter, and how many of each a method has.
  std::unordered_set<uint64_t> counted_;
  std::array<size_t, kMethods> states_of_ = {}, pairs_of_ = {};
  std::unordered_set<uint64_t> states_;
};
// Maximum number of states that are counted.
inline constexpr size_t kMaxStates = 1u << 16;

}  // namespace midwire::fuzz
