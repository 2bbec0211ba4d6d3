// A memo: what was read of some bytes, kept by the bytes. A fuzzer says and hears the same messages
// over and over, among few new ones, and reading one costs more than finding it here. Two that want
// the same slot drive each other out, so that nothing a peer says makes it grow, or slow.
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
  // What a corpus of a thousand sessions says over and over, a fourth of it mutants. With the
  // longest, that is 16 MiB and the values; of a tenth of the slots, two in five are found instead
  // of three in four.
  static constexpr size_t kSlots = 16 * 1024, kMaxBytes = 1024;

  // What is known of these bytes, until the next Keep; null: nothing.
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
