// Slots: the recorded values that stand for another value in each run, by the keys under which they
// are found, with the live value of the current run. Filled by the inference of bindings, read and
// updated by Bindings. Plain data.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "replay/script/script.h"

namespace midwire::replay {

struct Slot {
  std::string recorded;  // JSON as spelled where it was first repeated, or the token in quotes
  StepIndex source = kNoStep;  // the step in which the peer first sent it
  std::string from, to;        // METHOD:POINTER
  std::string
      from_pattern;      // `from` with indices as `*`: another value may be generated there later
  bool renamed = false;  // a unique id that only the peer repeats: one live value for the whole run
  std::string live;      // JSON as the peer spelled it; "" while unknown
};
using SlotIndex = uint32_t;

// A trace with more is replayed with this many, and the report notes that.
inline constexpr size_t kMaxSlots = 1u << 18;

class Slots {
 public:
  // Adds a slot unless one of the keys has one already. False: there is no room.
  bool Add(std::initializer_list<std::optional<uint64_t>> keys, Slot slot) {
    for (const auto& key : keys) {
      if (key && by_key_.contains(*key)) return true;
    }
    if (all_.size() == kMaxSlots) return false;
    for (const auto& key : keys) {
      if (key) by_key_.emplace(*key, static_cast<SlotIndex>(all_.size()));
    }
    all_.push_back(std::move(slot));
    return true;
  }
  std::optional<SlotIndex> Find(uint64_t key) const {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? std::nullopt : std::optional(found->second);
  }

  const std::vector<Slot>& all() const { return all_; }
  std::vector<Slot>& all() { return all_; }

 private:
  std::unordered_map<uint64_t, SlotIndex> by_key_;
  std::vector<Slot> all_;
};

}  // namespace midwire::replay
