// The tables of mutators, one file per level; mutator.cc joins them to Mutators(). Private to
// fuzz/mutate. New rows come at the end of a table and none is removed: the order decides what a
// seed produces.
#pragma once

#include <span>
#include <string_view>

#include "fuzz/mutate/mutator.h"

namespace midwire::fuzz {

std::span<const MutatorSpec> StreamMutators();
std::span<const MutatorSpec> TextMutators();
std::span<const MutatorSpec> TreeMutators();
std::span<const MutatorSpec> RpcMutators();
std::span<const MutatorSpec> SessionMutators();

// Change bytes by mutation->raw, or by a seeded mutation of our own. Bounded by the room.
bool MutateRaw(Mutation* mutation);          // the body, or a part of it
bool MutateRawInString(Mutation* mutation);  // inside the quotes of one of its strings
bool MutateRawInNumber(Mutation* mutation);
bool MutateRawFrame(Mutation* mutation);  // the header too

// Replace a value that the peer compared by the constant it was compared with, in any part. Need
// comparisons.
bool MutateComparedNumber(Mutation* mutation);
bool MutateComparedBytes(Mutation* mutation);  // in strings

}  // namespace midwire::fuzz
