// Bindings: values that the peer made (a handle, a UUID, a token) and that our messages repeat.
// They are inferred from the trace or declared; while a run goes on, each learns the live value
// that stands for the recorded one. The matcher learns and judges through this, the player
// replaces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "replay/declared.h"
#include "replay/script.h"
#include "wire/json/parts.h"

namespace midwire::replay {

struct Slot {
  std::string recorded;        // JSON as spelt where our role repeats it first
  StepIndex source = kNoStep;  // the step in which the peer said it first
  std::string from, to;        // METHOD:POINTER
  std::string from_pattern;    // `from` with indices as `*`: there another value may be made later
  std::string live;            // JSON as the peer spelt it; "" while not known
};
using SlotIndex = uint32_t;

// More are not bound: a trace of that many handles is replayed with what it has, and the report
// says so.
inline constexpr size_t kMaxSlots = 1u << 18;
// Values that are remembered while they are looked for; about 60 bytes each.
inline constexpr size_t kMaxCandidates = 1u << 20;
// A longer string is content, not an identity; one that does not look made even sooner.
inline constexpr size_t kMaxBoundValue = 512, kMaxWeakValue = 32;
// What the peer says in place of one may be longer, but must not grow our memory.
inline constexpr size_t kMaxLiveValue = 2 * kMaxBoundValue;

class Bindings {
 public:
  // Which of a step's directions is ours.
  Bindings(const Declarations* declared, Direction ours) : declared_(declared), ours_(ours) {}

  // Inference, in two passes over the trace in order: Learn each message, then, if any(), Mark
  // each. `body` is loose JSON, trimmed.
  void Learn(const Script& script, StepIndex index, std::string_view body);
  bool any() const { return !slots_.empty(); }
  // Whether the message holds a bound value.
  bool Mark(const Script& script, StepIndex index, std::string_view body);
  void EndInference() { candidates_ = {}; }

  // While running. An answer has its request's method. The slot that a recorded value stands for,
  // if any.
  std::optional<SlotIndex> Find(std::string_view method, const wire::Path& path,
                                std::string_view recorded) const;
  const Slot& slot(SlotIndex index) const { return slots_[index]; }
  // Whether the slot's value may change here: where it was made, a new one may be made.
  bool IsSource(SlotIndex index, std::string_view method, const wire::Path& path) const;
  void Set(SlotIndex index, std::string_view live) { slots_[index].live = live; }

  // For another run.
  void Forget() {
    for (Slot& slot : slots_) slot.live.clear();
  }

  const std::vector<Slot>& slots() const { return slots_; }
  bool overflowed() const { return overflowed_; }
  // Live values that stand for other recorded ones, by name ("b1"): so that a report is the same
  // from run to run.
  std::string Named(std::string text) const;

 private:
  // How a value at a place is known again. Strong values (hardly the same by chance) by themselves;
  // weak ones (17, "1") along with the member's name, where that name says that they are
  // identities.
  struct Keys {
    std::optional<uint64_t> declared, strong, named, weak;
    bool hinted = false;     // the member's name says so
    bool made_here = false;  // the place is the `from` of a declared binding
  };
  struct Candidate {
    StepIndex step = kNoStep;  // kNoStep: our role said it first
    uint64_t source_key = 0;   // `named` where the peer said it
  };
  Keys KeysOf(std::string_view method, const wire::Path& path, std::string_view value) const;
  void PrepareNames();
  void LearnPeers(StepIndex index, const Keys& keys);
  void LearnOurs(const Keys& keys, std::string_view method, const wire::Path& path,
                 std::string_view value);
  void Remember(uint64_t key, const Candidate& candidate, bool again);
  void Bind(std::initializer_list<std::optional<uint64_t>> keys, StepIndex source,
            std::string place, std::string_view value);
  std::optional<SlotIndex> FindKeys(const Keys& keys) const;

  const Declarations* declared_;
  Direction ours_;
  std::vector<std::string> declared_names_;  // last steps of declared places, sorted
  std::unordered_map<uint64_t, Candidate> candidates_;
  std::unordered_map<uint64_t, SlotIndex> by_key_;
  std::vector<Slot> slots_;
  bool overflowed_ = false;
};

}  // namespace midwire::replay
