// A cache of fixed size: values by the bytes from which they were computed. Most messages that a
// fuzzer sends and receives are repeated, and a look-up is cheaper than reading one again. A key
// replaces another one in its slot, so no input makes the cache grow or slow. Used in fuzz/oracle.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace midwire::fuzz {

template <typename Value>
class FixedCache {
 public:
  // Enough for a corpus of a thousand sessions, a fourth of its messages mutants: three of four
  // look-ups succeed; with a tenth of the slots, two of five. Keys use at most 16 MiB.
  static constexpr size_t kSlots = 16 * 1024, kMaxBytes = 1024;

  // The value of these bytes, valid until the next Keep; null: it is not in the cache.
  const Value* Find(std::string_view bytes) const {
    if (slots_.empty() || bytes.size() > kMaxBytes) return nullptr;
    const auto& slot = slots_[SlotOf(bytes)];
    return slot != nullptr && slot->bytes == bytes ? &slot->value : nullptr;
  }
  void Keep(std::string_view bytes, Value value) {
    if (bytes.size() > kMaxBytes) return;
    if (slots_.empty()) slots_.resize(kSlots);
    auto& slot = slots_[SlotOf(bytes)];
    if (slot == nullptr) slot = std::make_unique<Slot>();
    slot->bytes.assign(bytes);
    slot->value = std::move(value);
  }

 private:
  struct Slot {
    std::string bytes;
    Value value;
  };
  static size_t SlotOf(std::string_view bytes) {
    return std::hash<std::string_view>()(bytes) % kSlots;
  }
  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace midwire::fuzz
