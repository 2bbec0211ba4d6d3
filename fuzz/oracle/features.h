// Response features: what a peer's answers show of its state, as counters that a coverage-guided
// fuzzer takes for edges. Works for any peer in any language; the idea is AFLNet's (Pham, Böhme,
// Roychoudhury: AFLNet, a greybox fuzzer for network protocols, ICST 2020), which takes response
// codes for states. Called by the oracle for each message of the peer.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>

#include "wire/message.h"

namespace midwire::fuzz {

// Of a result, an error or params, as raw JSON: names and types two levels deep, as a hash. Values
// are left out: an echo of what was sent would be a new state each time. 0: of nothing.
uint64_t ShapeOf(std::string_view value);

class Features {
 public:
  // Each is one byte that counts up to 255. A power of two of them; not owned. Empty: nothing is
  // counted.
  explicit Features(std::span<uint8_t> counters) : counters_(counters) {}

  void OnRun() { previous_ = {}; }
  // `method`: an answer has its request's; "" where it is no word of the protocol. `shape` is that
  // of the result, the error or the params.
  void OnMessage(const wire::Message& message, std::string_view method, uint64_t shape);

  // Distinct answers seen so far: kind, method, code and shape.
  size_t states() const { return states_.size(); }

 private:
  void Hit(uint64_t hash);
  std::span<uint8_t> counters_;
  // What the peer said before of the same method, in this run; methods by hash. Pairs of any two
  // neighbours were three times as many, and told less.
  static constexpr size_t kMethods = 64;
  std::array<uint64_t, kMethods> previous_ = {};
  std::unordered_set<uint64_t> states_;
};
// States that are told apart at most.
inline constexpr size_t kMaxStates = 1u << 16;

}  // namespace midwire::fuzz
