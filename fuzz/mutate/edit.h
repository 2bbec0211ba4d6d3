// The edits that mutators are made of, each bounded by the maximum input size. Called by the
// mutators of every level and by the crossover. Does not parse JSON.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/mutate/mutator.h"

namespace midwire::fuzz {

// All return false and change nothing if the result would be equal or too large.

// Replaces bytes of the target's body; the frame around it stays correct.
bool ReplaceInBody(Mutation* mutation, size_t at, size_t count, std::string_view with);
// Replaces the whole target, which counts as junk from then on.
bool ReplaceTarget(Mutation* mutation, std::string bytes);
// Inserts a part before the one at `at`, or after the last.
bool InsertPart(Mutation* mutation, size_t at, Part part);
bool InsertParts(Mutation* mutation, size_t at, std::vector<Part> parts);

// Of what a mutator repeats: longer than a fixed buffer of a peer is likely to be, and enough for
// an algorithm that is quadratic.
inline constexpr size_t kLongest = 100'000;
inline constexpr std::string_view kNul{"\0", 1};

// Removes parts from the end, or bytes of the only one, until the input is no larger.
void CutTo(Input* input, size_t max_size);

// A number from 1 to max, small ones far more often: a large one costs as much as a hundred
// mutations, here and in the peer. 0 for max = 0.
size_t SomeOf(Random* random, size_t max);
// A word of the vocabulary, or a built-in one.
std::string_view Word(Random* random, const std::vector<std::string>& words,
                      std::initializer_list<std::string_view> known);
std::string_view OneOf(Random* random, std::initializer_list<std::string_view> of);
std::string Repeated(std::string_view text, size_t times);

}  // namespace midwire::fuzz
