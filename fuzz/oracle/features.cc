#include "fuzz/oracle/features.h"

#include <string>

#include "fuzz/hash.h"
#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

uint64_t Mix(uint64_t hash, std::string_view bytes) { return Hash(bytes, hash); }
uint64_t Mix(uint64_t hash, uint64_t number) {
  hash = (hash ^ number) * kHashPrime;
  return hash ^ (hash >> 29);
}

constexpr int kShapeMembers = 32;

// Of an array, only the first element is used.
uint64_t Shape(uint64_t hash, std::string_view value, int levels) {
  const wire::JsonType type = wire::TypeOf(value);
  hash = Mix(hash, static_cast<uint64_t>(type) + 1);
  if (levels == 0 || (type != wire::JsonType::kObject && type != wire::JsonType::kArray))
    return hash;
  wire::JsonParts parts(value);
  wire::JsonPart part;
  for (int i = 0; i < kShapeMembers && parts.Next(&part); ++i) {
    if (type == wire::JsonType::kArray && i > 0) break;
    hash = Mix(hash, part.name);
    hash = Shape(hash, part.value, levels - 1);
  }
  return hash;
}

}  // namespace

uint64_t ShapeOf(std::string_view value) { return value.empty() ? 0 : Shape(kHashStart, value, 2); }

void Features::OnMessage(const wire::Message& message, std::string_view method, uint64_t shape) {
  if (counters_.empty()) return;
  uint64_t state = Mix(kHashStart, static_cast<uint64_t>(message.kind) + 1);
  state = Mix(state, method);
  state = Mix(state, message.error_code ? static_cast<uint64_t>(*message.error_code) : shape);
  if (states_.size() < kMaxStates) states_.insert(state);
  const size_t slot = Hash(method) % kMethods;
  if (!HasCounter(state, &states_of_[slot])) state = slot;
  Hit(state);
  const uint64_t pair = Mix(Mix(state, previous_[slot]), uint64_t{7});
  if (HasCounter(pair, &pairs_of_[slot])) Hit(pair);
  previous_[slot] = state;
}

// `used`: the counters of this kind that the method has.
bool Features::HasCounter(uint64_t hash, size_t* used) {
  if (per_method_ == SIZE_MAX || counted_.contains(hash)) return true;
  if (*used >= per_method_) return false;
  ++*used;
  counted_.insert(hash);
  return true;
}

void Features::Hit(uint64_t hash) {
  uint8_t& counter = counters_[(hash ^ (hash >> 32)) & (counters_.size() - 1)];
  if (counter < most_) ++counter;
}

}  // namespace midwire::fuzz
