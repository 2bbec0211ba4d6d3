// Joins two sessions. Each message of the result is from one of them, byte for byte, or has one
// value of the other.
#include <algorithm>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/message_spans.h"
#include "fuzz/mutate/mutator.h"
#include "fuzz/mutate/tree_spans.h"

namespace midwire::fuzz {
namespace {

// Most messages taken from the other session, and most tries to find a member name that both have.
constexpr size_t kMostPut = 8;
constexpr int kMostNamesTried = 8;

// As many of these as fit.
void Append(const Part* from, const Part* to, size_t max_size, size_t* size, Input* input) {
  for (; from != to && input->parts.size() < kMaxParts; ++from) {
    if (*size + from->bytes.size() > max_size) return;
    *size += from->bytes.size();
    input->parts.push_back(*from);
  }
}

Input SpliceSessions(const Input& a, const Input& b, size_t max_size, Random* random) {
  Input made;
  size_t size = 0;
  const size_t cut = 1 + random->Below(a.parts.size()), resume = random->Below(b.parts.size());
  Append(a.parts.data(), a.parts.data() + cut, max_size, &size, &made);
  Append(b.parts.data() + resume, b.parts.data() + b.parts.size(), max_size, &size, &made);
  return made;
}

void PutAmong(const Input& b, size_t max_size, Random* random, Input* made) {
  const Vocabulary none;
  Mutation mutation{made, 0, random, &none, max_size};
  size_t count = SomeOf(random, std::min(kMostPut, b.parts.size()));
  size_t from = random->Below(b.parts.size()), at = random->Below(made->parts.size() + 1);
  for (; count > 0 && from < b.parts.size(); --count, ++from) {
    Part part = b.parts[from];
    // Both sessions count their ids from the same start.
    if (!random->OneIn(4)) RenewId(&part, random);
    InsertPart(&mutation, at, std::move(part));
    at = std::min(made->parts.size(), at + 1 + random->Below(2));
  }
}

// False: none of the few members that were tried is in both.
bool GiveValue(Input* made, const Input& b, size_t max_size, Random* random) {
  const Vocabulary none;
  Mutation mutation{made, 0, random, &none, max_size};
  for (int tries = 0; tries < kMostNamesTried; ++tries) {
    mutation.part = random->Below(made->parts.size());
    const std::string_view body = mutation.target().body();
    const std::string_view giver = random->Pick(b.parts).body();
    const auto place = PickNode(body, kAnyType, kMember, random);
    if (!place) continue;
    const auto value = PickNode(giver, kAnyType, kMember, random, place->name(body));
    if (value && ReplaceInBody(&mutation, place->at, place->size, value->text(giver))) return true;
  }
  return false;
}

}  // namespace

Input Mutator::CrossOver(const Input& a, const Input& b, uint64_t seed) const {
  const size_t max_size = options_.max_size;
  Random random(seed);
  const size_t kind = random.Below(3);
  if (kind == 0 && !a.parts.empty() && !b.parts.empty())
    return SpliceSessions(a, b, max_size, &random);
  Input made = a.parts.empty() ? b : a;
  CutTo(&made, max_size);
  if (a.parts.empty() || b.parts.empty()) return made;
  if (kind == 1) {
    PutAmong(b, max_size, &random, &made);
  } else if (!GiveValue(&made, b, max_size, &random)) {
    return SpliceSessions(a, b, max_size, &random);
  }
  return made;
}

}  // namespace midwire::fuzz
