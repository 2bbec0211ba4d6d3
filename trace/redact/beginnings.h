// Which of many secrets may begin at a byte of a text, by the first six bytes. A filter rejects
// nearly every byte with one load; a hash table decides about the others. Built and asked by
// Secrets (secrets.h) for each byte of a trace, so its time does not depend on the number of
// secrets. Never compares whole values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace midwire::trace::redact {

class Beginnings {
 public:
  static constexpr size_t kSize = 6;  // bytes

  struct Range {
    uint32_t from = 0, to = 0;  // empty: none
  };

  // values: sorted, each at least kSize long.
  template <typename Values, typename TextOf>
  void Build(const Values& values, const TextOf& text_of) {
    Clear(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      Add(Key(text_of(values[i]).data()), static_cast<uint32_t>(i));
    }
  }

  // Whether a value may begin at `text`, which has at least kSize bytes.
  bool MayMatch(const char* text) const {
    const uint64_t hash = Hash(Key(text));
    const uint64_t bits = BitsOf(hash);
    return (filter_[hash >> filter_shift_] & bits) == bits;
  }
  // The values that begin like `text`.
  Range Find(const char* text) const;

 private:
  struct Slot {
    uint64_t key = 0;
    Range range;
  };

  static uint64_t Key(const char* text) {
    // Two loads: six bytes copied into an integer cost a stalled load per byte of the text.
    uint32_t low;
    uint16_t high;
    std::memcpy(&low, text, sizeof low);
    std::memcpy(&high, text + sizeof low, sizeof high);
    return low | uint64_t{high} << 32;
  }
  static uint64_t Hash(uint64_t key) {
    key *= 0x9e3779b97f4a7c15u;
    return key ^ key >> 32;
  }
  // Two bits of a word of the filter. The word is chosen by the upper bits of the hash.
  static uint64_t BitsOf(uint64_t hash) {
    return uint64_t{1} << (hash & 63) | uint64_t{1} << (hash >> 6 & 63);
  }
  void Clear(size_t count);
  void Add(uint64_t key, uint32_t index);

  std::vector<uint64_t> filter_{0, 0};
  unsigned filter_shift_ = 63;
  std::vector<Slot> slots_;  // open addressing, a power of two
};

}  // namespace midwire::trace::redact
