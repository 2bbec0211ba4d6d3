// The tables of the levels, from which Mutators() is made. Private to fuzz/: mutator.cc joins them,
// one file a level fills each. A table only grows at its end.
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

// Bytes changed as bytes: by mutation->raw, or by a seeded way of ours. Bounded by the room.
bool MutateRaw(Mutation* mutation);          // the body, or a part of it
bool MutateRawInString(Mutation* mutation);  // inside the quotes of one of its strings
bool MutateRawInNumber(Mutation* mutation);
bool MutateRawFrame(Mutation* mutation);  // the header too

// What the peer compared becomes what it compared it with; in any part. Not without compares.
bool MutateWantedNumber(Mutation* mutation);
bool MutateWantedBytes(Mutation* mutation);  // in strings

}  // namespace midwire::fuzz
