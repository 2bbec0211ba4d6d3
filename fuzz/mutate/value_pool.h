// A value of a message that could be another one of its kind: what was said elsewhere under the
// same name, or what the dialect lists for the message's method. Called by mutators of tree and
// session. Changes nothing itself.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "fuzz/random.h"
#include "fuzz/vocabulary.h"

namespace midwire::fuzz {

struct ValuePool {
  size_t at, size;         // of the value in the body
  std::string_view other;  // what may stand there; of the vocabulary
};
// A scalar below params or result at random, and another value for it. Nothing when a few that were
// looked at have none.
std::optional<ValuePool> ChooseKnown(std::string_view body, const Vocabulary& words,
                                     Random* random);

}  // namespace midwire::fuzz
