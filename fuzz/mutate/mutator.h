// Mutates an input, the same way for the same seed: a table of named mutators on five levels, from
// the bytes of the stream to the order of the session. Called by libFuzzer's custom mutator,
// `midwire fuzz` and tests. Pure; size and time of each mutation are bounded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/mutate/comparisons.h"
#include "fuzz/random.h"
#include "fuzz/vocabulary.h"

namespace midwire::fuzz {

// kStream: lengths, headers, terminators, junk, splits of UTF-8. kText: damage that exists only as
// text (lone surrogates, duplicate names, NaN, depth). kTree: values by type and place. kRpc: the
// members of a message (id, method, jsonrpc, result, error), its kind, batches. kSession: which
// messages, in which order.
enum class Level : uint8_t { kStream, kText, kTree, kRpc, kSession };
inline constexpr int kLevels = 5;
std::string_view Name(Level level);  // "stream", "text", "tree", "rpc", "session"

// The arguments of a mutator. It changes one part, or the list of parts.
struct Mutation {
  Input* input;
  size_t part;  // index of the part to change; always valid. A session mutator may start from it.
  Random* random;
  const Vocabulary* words;
  size_t max_size;  // of the whole input; a mutator that would exceed it does nothing
  size_t (*raw)(uint8_t*, size_t, size_t) = nullptr;  // see MutatorOptions
  std::span<const Compare> compares =
      {};                         // comparisons of the peer for this input or a similar one
  const Compare* used = nullptr;  // the one that the last mutator used

  Part& target() { return input->parts[part]; }
  // Bytes that may still be added.
  size_t room() const { return max_size > input->size() ? max_size - input->size() : 0; }
};

struct MutatorSpec {
  const char* name;  // "stream.negative-length"
  Level level;
  // False: not applicable here, and nothing was changed.
  bool (*apply)(Mutation* mutation);
};
// All mutators, by level. The order is fixed, because it decides what a seed produces; findings
// refer to names.
std::span<const MutatorSpec> Mutators();
// Those of large inputs, which Mutators() has not: what one of them makes costs as much as
// thousands of other mutants.
std::span<const MutatorSpec> LargeMutators();

// The mutators that made a mutant from its parent, each with its part.
struct Change {
  const MutatorSpec* mutator;
  size_t part;
};
using Ancestry = std::vector<Change>;
std::string AncestryText(const Ancestry& ancestry);  // "tree.drop-member@3 rpc.id-null@0"

struct MutatorOptions {
  size_t max_size = 64 * 1024;
  // Relative weights of the levels; 0: never used.
  std::array<uint8_t, kLevels> weights = {1, 2, 5, 3, 3};
  // Mutates raw bytes, as LLVMFuzzerMutate (data, size, max size; returns the new size); about a
  // tenth of all mutations. Null: a seeded one of our own.
  size_t (*raw)(uint8_t*, size_t, size_t) = nullptr;
};

class Mutator {
 public:
  // Does not own the vocabulary, which may be empty.
  explicit Mutator(const Vocabulary* words, MutatorOptions options = {})
      : words_(words), options_(options) {}

  // Makes one to four changes in place. An input without parts gets one first; an input above
  // max_size is cut. Makes at least one change, unless no mutator applies. With comparisons, about
  // one change in eight uses them.
  Ancestry Mutate(Input* input, uint64_t seed, std::span<const Compare> compares = {}) const;
  // Makes one change by one of the comparisons and sets *used to it. Returns nothing if none
  // applies.
  Ancestry MutateCompared(Input* input, uint64_t seed, std::span<const Compare> compares,
                          const Compare** used) const;
  // Makes one change by a large mutator: an input of up to max_size. Returns nothing if none
  // applies.
  Ancestry Enlarge(Input* input, uint64_t seed, size_t max_size) const;
  // Joins two sessions in one of three ways. The result is the beginning of one and the end of the
  // other, or messages of one between those of the other. Or it is one of them, with a value of the
  // other in a member of the same name.
  Input CrossOver(const Input& a, const Input& b, uint64_t seed) const;

 private:
  const Vocabulary* words_;
  MutatorOptions options_;
};

}  // namespace midwire::fuzz
