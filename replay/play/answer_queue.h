// The answers that our role owes: recorded ones whose requests have arrived, and those made up for
// requests that are not in the trace. Keeps what each recorded one still waits for. Asked by the
// player for what may go out next; sends nothing itself.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "replay/match/progress.h"

namespace midwire::replay {

// Answers to requests that are not in the trace, kept while the peer does not read. A flood of such
// requests must not grow our memory; those beyond the limit get no answer.
inline constexpr size_t kMaxMadeUpBytes = 16u << 20;
// Owed answers that are looked at for one that waits for nothing.
inline constexpr size_t kMaxOwedTried = 64;

class AnswerQueue {
 public:
  // `for_calls`: an answer also waits for the peer's calls that were recorded before it. A debug
  // adapter answers `launch` only after `configurationDone`, and a client that sends that one only
  // after the answer to `launch` would block with it.
  AnswerQueue(const Progress* progress, bool for_calls)
      : progress_(progress), for_calls_(for_calls) {}

  // Events. The request has arrived with this id; its recorded answer is owed.
  void Owe(StepIndex answer, std::string_view live_id);
  // The request has arrived and is answered with its batch or, in the strict order, in its turn.
  void NoteId(StepIndex request, std::string_view live_id);
  // False: too many are waiting already.
  bool AddMadeUp(std::string frame);
  // Something was done: moves each answer to the step that it waits for now.
  void Update();
  void Sent(StepIndex answer);
  std::string TakeMadeUp();
  // The peer has exited: what is owed counts as sent. Returns the answers in their order.
  std::vector<StepIndex> TakeOwed();
  void GiveUp(StepIndex call) { given_up_.insert(call); }  // no answer waits for it any more
  void Clear();                                            // nothing can be answered any more

  bool has_room() const { return made_up_bytes_ <= kMaxMadeUpBytes; }
  bool any_made_up() const { return !made_up_.empty(); }
  bool empty() const { return owed_.empty(); }
  StepIndex first() const { return owed_.empty() ? kNoStep : owed_.begin()->first; }
  // The first answer that waits for nothing: our role has repeated all that it did between the
  // request and the answer.
  std::optional<StepIndex> Next() const;
  // The peer's call that this owed answer waits for; kNoStep: it waits for something else.
  StepIndex CallAwaitedBy(StepIndex answer) const;
  std::string_view LiveIdOf(StepIndex request) const;

 private:
  bool MayHoldBack(StepIndex step) const;
  // The first at or behind `step`; the number of steps: none.
  StepIndex NextThatMay(StepIndex step);

  const Progress* progress_;
  const bool for_calls_;
  std::unordered_set<StepIndex> given_up_;
  std::map<StepIndex, StepIndex> owed_;  // answer: the step that it waits for; itself: nothing
  std::vector<StepIndex> next_;          // of a step, a later one, or itself if that may hold back
  std::deque<std::string> made_up_;
  size_t made_up_bytes_ = 0;
  std::unordered_map<StepIndex, std::string> live_ids_;  // of the peer's requests in flight
  // Nodes of these tables, for the next request: one at a time allocates nothing.
  std::map<StepIndex, StepIndex>::node_type spare_owed_;
  std::unordered_map<StepIndex, std::string>::node_type spare_id_;
};

}  // namespace midwire::replay
