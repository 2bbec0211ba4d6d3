#include "trace/redact/beginnings.h"

#include <algorithm>
#include <bit>

namespace midwire::trace::redact {
namespace {

// With 32 bits per value, one byte in 200 passes by chance; 100,000 values take 400 KiB, which
// stays in the cache.
constexpr size_t kValuesPerWord = 2;
// Few values: the filter fits the first-level cache and passes hardly any byte.
constexpr size_t kMinWords = 1024;

}  // namespace

void Beginnings::Clear(size_t count) {
  const size_t words = std::bit_ceil(std::max(kMinWords, count / kValuesPerWord));
  filter_.assign(words, 0);
  filter_shift_ = static_cast<unsigned>(64 - std::countr_zero(words));
  slots_.assign(std::bit_ceil(2 * count + 1), Slot{});
}

void Beginnings::Add(uint64_t key, uint32_t index) {
  const uint64_t hash = Hash(key);
  filter_[hash >> filter_shift_] |= BitsOf(hash);
  size_t at = hash & (slots_.size() - 1);
  while (slots_[at].range.to != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
  if (slots_[at].range.to == 0) slots_[at] = {key, {index, index}};
  slots_[at].range.to = index + 1;
}

Beginnings::Range Beginnings::Find(const char* text) const {
  if (slots_.empty()) return {};
  const uint64_t key = Key(text);
  size_t at = Hash(key) & (slots_.size() - 1);
  while (slots_[at].range.to != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
  return slots_[at].range;
}

}  // namespace midwire::trace::redact
