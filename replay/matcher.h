// The matcher: decides which step of the script an arriving message is, and whether its content
// matches. Answers match by id, requests and notifications by method and content, first in first
// out. Called by the player for one direction and by diff for both. Pure: never sends, never waits.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "replay/bindings.h"
#include "replay/chunks.h"
#include "replay/compare.h"
#include "replay/declared.h"
#include "replay/script.h"
#include "replay/variations.h"
#include "trace/report/replay_report.h"
#include "wire/message.h"

namespace midwire::replay {

using trace::BindingUse;
using trace::Difference;
using trace::DifferenceKind;
using trace::kMaxDifferences;
using trace::ReplayReport;

// Recordings of one method that a message is compared with before it counts as changed. Real peers
// reorder about ten messages; a higher limit would make a hostile peer expensive.
inline constexpr size_t kMaxTried = 64;
// Answered requests that are kept to distinguish a second answer from an unknown one.
inline constexpr size_t kMaxAnswered = 1024;
// Differences collected per message with Options::variations.
inline constexpr size_t kMaxPlaces = 64;

class Matcher {
 public:
  struct Options {
    std::array<bool, 2> expected = {false, true};  // by Direction
    Variations* variations = nullptr;              // collect every differing place, for this
    bool in_order = false;                         // messages must come in the recorded order
  };
  struct Match {
    StepIndex step = kNoStep;  // kNoStep: no message of the trace matches
    // In that case, the most similar of the recordings of that method, all of which are used up.
    StepIndex nearest = kNoStep;
    bool exhausted = false;  // and its content is the same
  };

  Matcher(const Script* script, Frames* frames, const Declarations* declared, Bindings* bindings,
          Options options, ReplayReport* report);

  // A message of a peer; `body` is valid during the call. Call it once per element of a batch.
  Match OnMessage(Direction direction, const wire::Message& message, std::string_view body,
                  bool content_length);
  void OnJunk(Direction direction, std::string_view bytes,
              std::string_view text = "bytes that are not a message");
  // A request of ours was sent (in diff: was matched) with this id token, in `direction`.
  void OnRequest(Direction direction, std::string_view id, StepIndex step);
  // Reports steps before `limit` that never arrived, except answers to requests that were never
  // sent. Returns how many steps from `limit` on did not arrive either.
  uint64_t ReportMissing(StepIndex limit);

  bool arrived(StepIndex step) const { return arrived_[step]; }
  void SetArrived(StepIndex step) { arrived_[step] = true; }
  // The live spelling of a recorded id of `direction`'s requests.
  std::string_view LiveId(Direction direction, std::string_view recorded) const;
  bool AnyLiveIds(Direction direction) const { return !ids_[static_cast<int>(direction)].empty(); }

  // Counts a difference, and keeps it if there is room.
  void Add(Difference item);
  Difference ItemOf(DifferenceKind kind, StepIndex step) const;

 private:
  // Values that one message binds, by slot: a list may hold a hundred thousand handles.
  struct Binds {
    std::vector<std::pair<SlotIndex, std::string>> all;
    std::unordered_map<SlotIndex, size_t> first;

    void Add(SlotIndex slot, std::string_view live) {
      first.try_emplace(slot, all.size());
      all.emplace_back(slot, live);
    }
    const std::string* Find(SlotIndex slot) const {
      if (all.empty()) return nullptr;
      const auto found = first.find(slot);
      return found == first.end() ? nullptr : &all[found->second].second;
    }
  };
  struct Verdict {
    std::vector<ValueDifference> differences;
    Binds binds;
    bool inconsistent = false;  // the first difference is a bound value
    bool wrong_id = false;      // the first difference is an embedded id
    bool equal() const { return differences.empty(); }
  };
  struct Queue {
    std::deque<StepIndex> waiting;
    std::deque<StepIndex> used;  // the latest kMaxTried
  };
  using Open = std::unordered_map<std::string, std::vector<StepIndex>>;  // by id token
  struct QueueKey {
    std::string method;
    Direction direction;
    Kind kind;
    bool operator<(const QueueKey& other) const;
  };

  Verdict Compare(StepIndex index, const wire::Message& message, std::string_view body,
                  size_t enough, const Place* chunk = nullptr);
  void LearnIgnored(std::string_view method, std::string_view recorded, std::string_view body,
                    Binds* binds) const;
  Match OnAnswer(Direction direction, const wire::Message& message, std::string_view body);
  Match OnOther(Direction direction, const wire::Message& message, std::string_view body);
  std::optional<Match> OnChunk(Direction direction, const wire::Message& message,
                               std::string_view body);
  Match Take(Queue* queue, const wire::Message& message, std::string_view body);
  Open::iterator FindOpen(Open* open, const std::string& token) const;
  Match Nearest(const Queue& queue, const wire::Message& message, std::string_view body,
                Difference* item);
  void Accept(StepIndex index, const wire::Message& message, std::string_view body,
              const Verdict& verdict);
  void CheckOrder(StepIndex index);
  std::string_view Body(StepIndex index);
  const PlaceRules& RulesOf(const Step& step, const Place* chunk);
  void LearnId(Direction direction, std::string_view recorded, std::string_view live);

  const Script* script_;
  Frames* frames_;
  const Declarations* declared_;
  Bindings* bindings_;
  const Options options_;
  ReplayReport* report_;

  std::vector<bool> arrived_;  // by step
  std::map<QueueKey, Queue> queues_;
  std::array<Open, 2> open_;
  struct Answered {
    Direction requests;
    std::string id;
    StepIndex request;
  };
  std::deque<Answered> answered_;
  std::array<std::unordered_map<std::string, std::string>, 2> ids_;  // only ids that differ
  std::unordered_map<uint64_t, StepIndex> latest_;  // of a method's notifications, by token
  std::map<std::pair<uint32_t, const Place*>, PlaceRules> rules_;  // by method and chunk
  std::array<std::deque<const Mark*>, 2> junk_;
  std::array<bool, 2> framing_reported_{};
  StepIndex in_order_ = 0;  // with Options::in_order: no step before it is still expected
  Chunks chunks_;
};

// Adds the bindings to the report, and whether each had another live value.
void ReportBindings(const Bindings& bindings, ReplayReport* report);

}  // namespace midwire::replay
