// Bindings: values that the peer generated (a handle, a UUID, a token) and that our messages, or
// its own, repeat. They are inferred from the trace or declared. During a run each learns the live
// value that stands for the recorded one. The matcher fills them in and compares with them; the
// composer puts the live values into our messages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "replay/script/declared.h"
#include "replay/script/script.h"
#include "replay/values/binding_inference.h"
#include "replay/values/message_tokens.h"
#include "replay/values/slots.h"
#include "replay/values/value_keys.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::replay {

// A live value may be longer than a recorded one, but must not grow our memory.
inline constexpr size_t kMaxLiveValue = 2 * kMaxBoundValue;

class Bindings {
 public:
  // Which of a step's directions is ours.
  Bindings(const Declarations* declared, Direction ours)
      : keys_(declared), inference_(std::make_unique<BindingInference>(ours, &keys_, &slots_)) {}

  // Inference, in two passes over the trace in order: Learn each message, then, if any(), Mark
  // each. `body` is loose JSON, trimmed; `tokens` are those of such a body.
  void Learn(const Script& script, StepIndex index, const MessageTokens& tokens);
  bool any() const { return !slots_.all().empty(); }
  // Whether the message holds a bound value.
  bool Mark(const Script& script, StepIndex index, std::string_view body);
  void EndInference();

  // During a run: the slot of a recorded value, if any.
  std::optional<SlotIndex> Find(const CallClass& of, const wire::Path& path,
                                std::string_view recorded) const;
  // Calls visit for each bound token of a recorded string, without its quotes, in order.
  using VisitToken = std::function<void(SlotIndex slot, std::string_view token)>;
  void VisitTokens(const wire::Path& path, std::string_view spelt, const VisitToken& visit) const;
  // The same for a member's name, which may also be bound as a whole.
  void VisitName(const wire::Path& path, const VisitToken& visit) const;
  const Slot& slot(SlotIndex index) const { return slots_.all()[index]; }
  // Whether this place may give the slot a new value, as the place that generated it may.
  bool IsSource(SlotIndex index, std::string_view method, const wire::Path& path) const;
  void Set(SlotIndex index, std::string_view live);
  // The live id of a request of the peer: a value wherever else it stands.
  void SetId(std::string_view recorded, std::string_view live);
  // The renamed slot that has this live value, if any: two recorded ids are never one live id.
  std::optional<SlotIndex> RenamedTo(std::string_view live) const;

  // Another slot that has this live value now and another recorded one, if any. Values of different
  // kinds may be equal by chance. So numbers are compared with those generated in the same place,
  // and strings with those of members of the same name.
  std::optional<SlotIndex> MergedWith(SlotIndex index, std::string_view live) const;
  // The values among which a live value of this slot must be distinct, and the value.
  std::string DistinctKey(SlotIndex index, std::string_view live) const;

  // For another run.
  void Forget();

  const std::vector<Slot>& slots() const { return slots_.all(); }
  bool overflowed() const { return overflowed_; }
  // Replaces live values in a text by their binding's name ("b1"), so that a report is the same on
  // every run.
  std::string Named(std::string text) const;

 private:
  std::optional<SlotIndex> FindKeys(const Keys& keys, const wire::Path& path) const;
  std::optional<SlotIndex> FindToken(std::string_view token, const wire::Path& path) const;
  bool Allowed(SlotIndex index, const wire::Path& path) const;
  bool MarkSlot(SlotIndex slot, StepIndex index, std::string_view method, const wire::Path& path);

  ValueKeys keys_;
  Slots slots_;
  std::unique_ptr<BindingInference> inference_;
  bool tokens_ = false;                                  // a slot may be a token or a member's name
  std::unordered_map<std::string, SlotIndex> renamed_;   // by live value
  std::unordered_map<std::string, SlotIndex> distinct_;  // by DistinctKey; may be out of date
  bool overflowed_ = false;
};

}  // namespace midwire::replay
