// Whether a text looks drawn at random, as ids and keys are, with limits that the caller chooses.
// Called by trace/looks for ids, and by trace/redact for keys. Which texts are none although they
// look so, such as dates and UUIDs, is the caller's matter. Pure, linear.
#pragma once

#include <cstddef>
#include <string_view>

namespace midwire::wire {

struct RandomLimits {
  size_t shortest = 0, longest = 0;  // bytes
  // What it may have beside letters and digits; empty: any visible ASCII.
  std::string_view signs = {};
  // How often letters and digits change, whatever is between them; 1: it has both.
  int changes = 1;
  bool both_cases = false;
  // Per character: Shannon's, by how often each occurs in it. 16 characters of hex drawn at random
  // have 3.1 on average, 20 of base62 have 4.1, "aaaabbbb11112222" has 2. Hex has at most 4.
  double bits = 0;
};

bool LooksRandom(std::string_view text, const RandomLimits& limits);

}  // namespace midwire::wire
