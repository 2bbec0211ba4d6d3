// Finds another valid value for a place in a message: a recorded value of a member of the same
// name, or one that the dialect lists for the method. Called by mutators of tree and session.
// Changes nothing itself.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "fuzz/random.h"
#include "fuzz/vocabulary.h"

namespace midwire::fuzz {

struct PooledValue {
  size_t at, size;         // of the value in the body
  std::string_view other;  // the other value; owned by the vocabulary
};
// A random scalar below params or result and another value for it. Nothing if none of a few tried
// scalars has one.
std::optional<PooledValue> ChooseKnown(std::string_view body, const Vocabulary& words,
                                       Random* random);

}  // namespace midwire::fuzz
