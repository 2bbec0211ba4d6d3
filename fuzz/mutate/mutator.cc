#include "fuzz/mutate/mutator.h"

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/mutate.h"

namespace midwire::fuzz {
namespace {

// One in this many mutations changes raw bytes, whatever the level.
constexpr size_t kOneRawIn = 10;
// With comparisons, one in this many mutations uses them.
constexpr size_t kOneWantedIn = 8;
// Random draws before all mutators are tried in turn. Most mutators apply to most messages.
constexpr int kDraws = 24;
constexpr size_t kMostChanges = 4;

struct Table {
  std::vector<MutatorSpec> all;
  struct Range {
    size_t first, count;
  };
  std::array<Range, kLevels> levels;
  std::array<const MutatorSpec*, 3> raw = {};
  std::array<const MutatorSpec*, 2> wanted = {};
};

Table MakeTable() {
  Table table;
  const std::span<const MutatorSpec> levels[kLevels] = {
      StreamMutators(), TextMutators(), TreeMutators(), RpcMutators(), SessionMutators()};
  for (int level = 0; level < kLevels; ++level) {
    table.levels[level] = {table.all.size(), levels[level].size()};
    table.all.insert(table.all.end(), levels[level].begin(), levels[level].end());
  }
  for (const MutatorSpec& spec : table.all) {
    if (spec.apply == MutateRaw) table.raw[0] = &spec;
    if (spec.apply == MutateRawInString) table.raw[1] = &spec;
    if (spec.apply == MutateRawInNumber) table.raw[2] = &spec;
    if (spec.apply == MutateComparedNumber) table.wanted[0] = &spec;
    if (spec.apply == MutateComparedBytes) table.wanted[1] = &spec;
  }
  return table;
}

const Table& TheTable() {
  static const Table table = MakeTable();
  return table;
}

// A message rather than junk, when there is one nearby.
size_t PickPart(const Input& input, Random* random) {
  const size_t part = random->Below(input.parts.size());
  return input.parts[part].junk() ? random->Below(input.parts.size()) : part;
}

const MutatorSpec* Draw(const Table& table, const std::array<uint8_t, kLevels>& weights,
                        bool compares, Random* random) {
  if (compares && random->OneIn(kOneWantedIn)) {
    const MutatorSpec* spec = random->Pick(table.wanted);
    if (weights[static_cast<int>(spec->level)] != 0) return spec;
  }
  if (weights[static_cast<int>(Level::kText)] != 0 && random->OneIn(kOneRawIn)) {
    return random->Pick(table.raw);
  }
  size_t sum = 0;
  for (const uint8_t weight : weights) sum += weight;
  size_t at = random->Below(sum);
  for (int level = 0; level < kLevels; ++level) {
    if (at < weights[level]) {
      const auto [first, count] = table.levels[level];
      return &table.all[first + random->Below(count)];
    }
    at -= weights[level];
  }
  return nullptr;
}

// Makes one random change; if no drawn mutator applies, the first that does.
bool ChangeOnce(Mutation* mutation, const std::array<uint8_t, kLevels>& weights,
                Ancestry* ancestry) {
  const Table& table = TheTable();
  Input* const input = mutation->input;
  const auto apply = [&](const MutatorSpec* spec) {
    if (!spec->apply(mutation)) return false;
    ancestry->push_back({spec, mutation->part});
    return true;
  };
  for (int draw = 0; draw < kDraws; ++draw) {
    const MutatorSpec* spec = Draw(table, weights, !mutation->compares.empty(), mutation->random);
    if (spec == nullptr) return false;
    mutation->part = PickPart(*input, mutation->random);
    if (apply(spec)) return true;
  }
  const size_t start = mutation->random->Below(table.all.size());
  for (size_t i = 0; i < table.all.size(); ++i) {
    const MutatorSpec* spec = &table.all[(start + i) % table.all.size()];
    if (weights[static_cast<int>(spec->level)] == 0) continue;
    mutation->part = mutation->random->Below(input->parts.size());
    if (apply(spec)) return true;
  }
  return false;
}

}  // namespace

std::string_view Name(Level level) {
  constexpr std::string_view kNames[kLevels] = {"stream", "text", "tree", "rpc", "session"};
  return kNames[static_cast<int>(level)];
}

std::span<const MutatorSpec> Mutators() { return TheTable().all; }

std::string AncestryText(const Ancestry& ancestry) {
  std::string text;
  for (const Change& change : ancestry) {
    if (!text.empty()) text += ' ';
    text += change.mutator->name;
    text += '@';
    text += std::to_string(change.part);
  }
  return text;
}

Ancestry Mutator::Mutate(Input* input, uint64_t seed, std::span<const Compare> compares) const {
  Random random(seed);
  CutTo(input, options_.max_size);
  if (input->parts.empty()) input->parts.push_back({.bytes = "", .framing = wire::Framing::kLine});
  Mutation mutation{input, 0, &random, words_, options_.max_size, options_.raw, compares};
  size_t changes = 1;
  while (changes < kMostChanges && random.OneIn(2)) ++changes;
  Ancestry ancestry;
  ancestry.reserve(changes);
  for (size_t i = 0; i < changes; ++i) {
    if (!ChangeOnce(&mutation, options_.weights, &ancestry)) break;
  }
  return ancestry;
}

Ancestry Mutator::Enlarge(Input* input, uint64_t seed, size_t max_size) const {
  Random random(seed);
  if (input->parts.empty() || input->size() > max_size) return {};
  Mutation mutation{input, 0, &random, words_, max_size, options_.raw};
  for (int draw = 0; draw < kDraws; ++draw) {
    const MutatorSpec* spec = &random.Pick(LargeMutators());
    mutation.part = PickPart(*input, &random);
    if (spec->apply(&mutation)) return {{spec, mutation.part}};
  }
  return {};
}

Ancestry Mutator::MutateCompared(Input* input, uint64_t seed, std::span<const Compare> compares,
                                 const Compare** used) const {
  Random random(seed);
  if (input->parts.empty() || input->size() > options_.max_size) return {};
  Mutation mutation{input, 0, &random, words_, options_.max_size, options_.raw, compares};
  const size_t first = random.Below(2);
  for (const size_t i : {first, 1 - first}) {
    const MutatorSpec* spec = TheTable().wanted[i];
    mutation.part = PickPart(*input, &random);
    if (!spec->apply(&mutation)) continue;
    *used = mutation.used;
    return {{spec, mutation.part}};
  }
  return {};
}

}  // namespace midwire::fuzz
