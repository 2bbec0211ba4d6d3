// Changes an input at random, the same for the same seed: a table of named mutators on five levels,
// from the bytes of the stream to the order of the session. Engine-neutral: libFuzzer's custom
// mutator, `midwire fuzz` and tests call the same. Pure; each mutation is bounded in size, and in
// time by it.
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

// What a mutator works with. It changes one part, or the list of parts.
struct Mutation {
  Input* input;
  size_t part;  // the one to change; there is one. A session mutator may take it as a start.
  Random* random;
  const Vocabulary* words;
  size_t max_size;  // of the whole input; a mutator that would exceed it does nothing
  size_t (*raw)(uint8_t*, size_t, size_t) = nullptr;  // see MutatorOptions
  std::span<const Compare> compares = {};  // of the peer's, with this input or a like one
  const Compare* used = nullptr;           // of them, by the last mutator that took one

  Part& target() { return input->parts[part]; }
  // What may still be added.
  size_t room() const { return max_size > input->size() ? max_size - input->size() : 0; }
};

struct MutatorSpec {
  const char* name;  // "stream.negative-length"
  Level level;
  // False: not applicable here, and nothing was changed.
  bool (*apply)(Mutation* mutation);
};
// All of them, by level. Where it stands is its number for ever: findings name it by its name, the
// order decides what a seed makes.
std::span<const MutatorSpec> Mutators();

// What made a mutant of its parent: which mutators, on which part.
struct Change {
  const MutatorSpec* mutator;
  size_t part;
};
using Ancestry = std::vector<Change>;
std::string AncestryText(const Ancestry& ancestry);  // "tree.drop-member@3 rpc.id-null@0"

struct MutatorOptions {
  size_t max_size = 64 * 1024;
  // How often a level is taken, relative to the others; 0: never.
  std::array<uint8_t, kLevels> weights = {1, 2, 5, 3, 3};
  // Changes a piece of text byte by byte, as LLVMFuzzerMutate does (data, size, max size; the new
  // size comes back); about a tenth of all mutations. Null: one of our own, which a seed decides.
  size_t (*raw)(uint8_t*, size_t, size_t) = nullptr;
};

class Mutator {
 public:
  // The vocabulary is used, not owned; it may be empty.
  explicit Mutator(const Vocabulary* words, MutatorOptions options = {})
      : words_(words), options_(options) {}

  // One to four changes in place; an input without parts gets one, one above max_size loses its end
  // first. At least one is a change, unless nothing of all could be applied. With compares, about
  // one in eight is of what they want.
  Ancestry Mutate(Input* input, uint64_t seed, std::span<const Compare> compares = {}) const;
  // Just one change, of what one of them wants, which *used then is; empty where none is found.
  Ancestry MutateWanted(Input* input, uint64_t seed, std::span<const Compare> compares,
                        const Compare** used) const;
  // A session of both: a beginning of one, then an end of the other, or messages of the one put
  // among those of the other, or a value of the one in a place of that name in the other.
  Input CrossOver(const Input& a, const Input& b, uint64_t seed) const;

 private:
  const Vocabulary* words_;
  MutatorOptions options_;
};

}  // namespace midwire::fuzz
