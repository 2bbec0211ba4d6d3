// Bindings: values that the peer generated (a handle, a UUID, a token) and that our messages
// repeat. They are inferred from the trace or declared. During a run each learns the live value
// that stands for the recorded one. The matcher fills them in and compares with them; the composer
// puts the live values into our messages.
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
#include "wire/json/path.h"

namespace midwire::replay {

struct Slot {
  std::string recorded;        // JSON as spelled where our role first repeats it
  StepIndex source = kNoStep;  // the step in which the peer first sent it
  std::string from, to;        // METHOD:POINTER
  std::string
      from_pattern;  // `from` with indices as `*`: another value may be generated there later
  std::string live;  // JSON as the peer spelled it; "" while unknown
};
using SlotIndex = uint32_t;

// A trace with more is replayed with this many, and the report notes that.
inline constexpr size_t kMaxSlots = 1u << 18;
// Candidate values kept during inference; about 60 bytes each.
inline constexpr size_t kMaxCandidates = 1u << 20;
// A longer string is content, not an identity; the limit is lower for one that does not look
// generated.
inline constexpr size_t kMaxBoundValue = 512, kMaxWeakValue = 32;
// A live value may be longer, but must not grow our memory.
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

  // During a run: the slot of a recorded value, if any. An answer has its request's method.
  std::optional<SlotIndex> Find(std::string_view method, const wire::Path& path,
                                std::string_view recorded) const;
  const Slot& slot(SlotIndex index) const { return slots_[index]; }
  // Whether this place may give the slot a new value, as the place that generated it may.
  bool IsSource(SlotIndex index, std::string_view method, const wire::Path& path) const;
  void Set(SlotIndex index, std::string_view live) { slots_[index].live = live; }

  // For another run.
  void Forget() {
    for (Slot& slot : slots_) slot.live.clear();
  }

  const std::vector<Slot>& slots() const { return slots_; }
  bool overflowed() const { return overflowed_; }
  // Replaces live values in a text by their binding's name ("b1"), so that a report is the same on
  // every run.
  std::string Named(std::string text) const;

 private:
  // How a value at a place is recognized. Strong values (unlikely to be equal by chance) by
  // themselves; weak ones (17, "1") together with the member's name, if that name shows that they
  // are identities.
  struct Keys {
    std::optional<uint64_t> declared, strong, named, weak;
    bool hinted = false;     // the member's name shows that it is an identity
    bool made_here = false;  // the place is the `from` of a declared binding
  };
  struct Candidate {
    StepIndex step = kNoStep;  // kNoStep: our role sent it first
    uint64_t source_key = 0;   // `named` where the peer sent it
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
