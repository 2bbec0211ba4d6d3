// The matcher: matches the messages of a peer with the steps of a script. It has three parts: the
// decider says which step a message is (decider.h), the matcher records that, and the describer
// says what the report says of it (describer.h). How it is framed is compared in framing_check.h.
// Called by the player for one direction and by diff for both. Pure: never sends, never waits.
#pragma once

#include <array>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "replay/match/decider.h"
#include "replay/match/decision.h"
#include "replay/match/describer.h"
#include "replay/match/difference_log.h"
#include "replay/match/framing_check.h"
#include "replay/match/message_comparer.h"
#include "replay/match/order_rules.h"
#include "replay/match/progress.h"
#include "replay/script/declared.h"
#include "replay/script/script.h"
#include "replay/values/bindings.h"
#include "replay/values/live_ids.h"
#include "wire/message.h"

namespace midwire::replay {

using trace::BindingUse;

class Matcher {
 public:
  using Options = MatchOptions;
  struct Match {
    StepIndex step = kNoStep;  // kNoStep: no message of the trace matches
    // In that case, the most similar of the recordings of that method, all of which are used up.
    StepIndex nearest = kNoStep;
    bool exhausted = false;  // and its content is the same
    bool undecided = false;  // a changed notification or an additional one: decided at the end
    // Of a request that is not in the trace, the nearest recording, and where it differs: "message
    // 3, /params/k".
    std::string closest;
  };

  Matcher(const Script* script, Frames* frames, const Declarations* declared, Bindings* bindings,
          Progress* progress, Options options, ReplayReport* report);
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;

  // A message of a peer; `body` is valid during the call. Call it once per element of a batch.
  Match OnMessage(Direction direction, const wire::Message& message, std::string_view body,
                  const LiveFraming& framing);
  // A message that has, byte for byte, the content of this step of the peer, an answer or a
  // request. False: it may be another message, or may be compared otherwise; then nothing has
  // changed, and OnMessage decides.
  bool OnRecorded(StepIndex index);
  void OnJunk(Direction direction, std::string_view bytes,
              std::string_view text = "bytes that are not a message");
  // A request of ours was sent (in diff: was matched) with this id token, in `direction`.
  void OnRequest(Direction direction, std::string_view id, StepIndex step) {
    state_.open.Open(direction, id, step);
  }
  // Decides on what is undecided, then reports steps before `limit` that never arrived, except
  // answers to requests that were never sent. `left`: the peer has ended the session; then one
  // difference, of the cause, stands for all that it would have sent. Call it once, at the end.
  struct Missing {
    uint64_t behind = 0;  // steps from `limit` on that did not arrive either
    uint64_t unsaid = 0;  // steps that the cause stands for
  };
  Missing ReportMissing(StepIndex limit, bool left = false);

  const LiveIds& ids() const { return ids_; }
  const OrderRules& rules() const { return rules_; }
  DifferenceLog* log() { return &log_; }
  void DecideAtOnce() { options_.at_once = true; }

 private:
  bool expects(Direction direction) const { return direction != progress_->ours(); }

  Match Apply(const Decision& decision, const wire::Message& message, std::string_view body);
  Match ApplyRecorded(const Decision& decision, const wire::Message& message,
                      std::string_view body);
  Match ApplyPiece(const Decision& decision, std::string_view body);
  Match ApplyUnmatched(const Decision& decision, const wire::Message& message,
                       std::string_view body);
  void Accept(StepIndex index, const wire::Message& message, std::string_view body,
              const Verdict& verdict);
  void Cover(const Decision& decision);
  void DecideLate(const Expectations::Key& key, std::vector<Undecided> undecided);
  void LearnId(const Step& step, std::string_view recorded, std::string_view live);
  void CheckOrder(StepIndex index);

  const Script* script_;
  Bindings* bindings_;
  Progress* progress_;
  Options options_;
  ReplayReport* report_;

  LiveIds ids_;
  MessageComparer comparer_;
  OrderRules rules_;
  DifferenceLog log_;
  MatchState state_;
  Decider decider_;
  Describer describer_;
  FramingCheck framing_;
  std::array<std::deque<const Mark*>, 2> junk_;
  bool host_noted_ = false;
  std::set<StepIndex> refused_;  // recordings nearest to requests that were refused
  bool refused_last_ = false;    // such a request is the latest message
};

// Adds the bindings to the report, and whether each had another live value.
void ReportBindings(const Bindings& bindings, ReplayReport* report);

}  // namespace midwire::replay
