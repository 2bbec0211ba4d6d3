// Live values in the place of recorded ones: a handle that the peer made when the seeds were
// recorded is another today. Knows from a recording where each value came from, learns the live one
// from the same place of a live answer, and puts it into what is said later. Pure; used by the
// fuzzer's and the reducer's runs (replay has bindings of its own, which follow a script; a mutant
// has none).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/session.h"
#include "wire/json_parts.h"
#include "wire/pointer.h"

namespace midwire::fuzz {

// Values that are bound at most, and bytes that one may have. More sessions than that do not need
// their handles: the mutants of the first do.
inline constexpr size_t kMaxBound = 4096, kMaxBoundValue = 256;

class Rebinder {
 public:
  // `ours`: whose messages are said again; the other direction made the values.
  explicit Rebinder(wire::Direction ours) : ours_(ours) {}

  // Recording, message by message, in order. `method`: of an answer its request's. `body` is JSON,
  // trimmed; what is not loose JSON is passed over. Only values that look made (strings like UUIDs,
  // long or with digits; numbers only where the name of their place ends in id, handle or token)
  // and that our role repeats later are bound.
  void Record(wire::Direction direction, std::string_view method, std::string_view body);
  // Live: what the peer has said.
  void Learn(std::string_view method, std::string_view body);
  // What shall be said: true when *out (replaced, not appended) differs from `body`. Replaces whole
  // scalars that are a recorded value of which a live one is known.
  bool Apply(std::string_view body, std::string* out) const;
  // The peer starts anew: live values are forgotten.
  void Forget();
  bool any() const { return !bound_.empty(); }

 private:
  struct Bound {
    std::string recorded;  // as spelt
    std::string method;
    wire::Path path;   // where the peer said it first
    std::string live;  // "" while not known
  };
  wire::Direction ours_;
  std::vector<Bound> bound_;
  std::unordered_map<std::string, size_t> by_value_;  // recorded, as our role spells it
  // Candidates while recording: value as spelt, to where the peer said it first.
  std::unordered_map<std::string, Bound> candidates_;
};

}  // namespace midwire::fuzz
