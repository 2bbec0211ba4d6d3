// The matcher: decides which step of the script an arriving message is, and whether its content
// matches. Answers match by id, requests and notifications by method and content: an exact
// recording first, in whatever order it comes, then the most similar one. Called by the player for
// one direction and by diff for both. Pure: never sends, never waits.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/match/chunks.h"
#include "replay/match/difference_log.h"
#include "replay/match/expectations.h"
#include "replay/match/message_comparer.h"
#include "replay/match/open_requests.h"
#include "replay/match/order_rules.h"
#include "replay/match/progress.h"
#include "replay/match/variations.h"
#include "replay/script/declared.h"
#include "replay/script/script.h"
#include "replay/script/unused.h"
#include "replay/values/bindings.h"
#include "replay/values/live_ids.h"
#include "wire/message.h"

namespace midwire::replay {

using trace::BindingUse;

// Differences collected per message with Options::variations.
inline constexpr size_t kMaxPlaces = 64;
// Changed notifications of one method that wait for the end of the run, when it is known which
// recordings never came; and their bytes of all methods together.
inline constexpr size_t kMaxUndecided = 64, kMaxUndecidedBytes = 16u << 20;

class Matcher {
 public:
  struct Options {
    Variations* variations = nullptr;  // collect every differing place, for this
    bool in_order = false;             // messages must come in the recorded order
    bool exact_requests = false;  // a request with other content than recorded is not in the trace
    // The peer is a host: a request that is equal to one that has arrived is that one once more,
    // and a host may have another name than the recorded one.
    bool mock = false;
    bool at_once = false;      // decide on each message when it arrives (--update)
    Unused* unused = nullptr;  // sees each message that is not a recorded one to the last byte
  };
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

  // A message of a peer; `body` is valid during the call. Call it once per element of a batch.
  Match OnMessage(Direction direction, const wire::Message& message, std::string_view body,
                  bool content_length);
  // A message that has, byte for byte, the content of this step of the peer, an answer or a
  // request. False: it may be another message, or may be compared otherwise; then nothing has
  // changed, and OnMessage decides.
  bool OnRecorded(StepIndex index);
  void OnJunk(Direction direction, std::string_view bytes,
              std::string_view text = "bytes that are not a message");
  // A request of ours was sent (in diff: was matched) with this id token, in `direction`.
  void OnRequest(Direction direction, std::string_view id, StepIndex step) {
    open_.Open(direction, id, step);
  }
  // Decides on what is undecided, then reports steps before `limit` that never arrived, except
  // answers to requests that were never sent. Returns how many steps from `limit` on did not arrive
  // either. Call it once, at the end.
  uint64_t ReportMissing(StepIndex limit);

  const LiveIds& ids() const { return ids_; }
  const OrderRules& rules() const { return rules_; }
  DifferenceLog* log() { return &log_; }
  void DecideAtOnce() { options_.at_once = true; }

 private:
  struct Undecided {
    wire::Message message;
    std::string body;
    uint32_t from;  // DifferenceLog::From
  };

  bool expects(Direction direction) const { return direction != progress_->ours(); }
  size_t enough() const { return options_.variations ? kMaxPlaces : kFewPlaces; }

  Match OnAnswer(Direction direction, const wire::Message& message, std::string_view body);
  Match OnOther(Direction direction, const wire::Message& message, std::string_view body);
  CallClass ClassOf(const wire::Message& message, std::string_view body);
  void AddChunk(StepIndex index);
  std::optional<Match> OnChunk(Direction direction, const CallClass& of,
                               const wire::Message& message, std::string_view body);
  void ReportStrayChunk(StepIndex first, const Verdict& verdict, std::string_view body);
  Match Take(const Expectations::Key& key, ExpectedMessages* queue, const wire::Message& message,
             std::string_view body);
  std::string NumberAndPlace(StepIndex step, const ValueDifference& difference) const;
  std::optional<Match> OnceMore(const Expectations::Key& key, ExpectedMessages* queue,
                                const wire::Message& message, std::string_view body);
  bool OnlyNames(StepIndex step, const wire::Message& message, std::string_view body);
  Match Refuse(const Expectations::Key& key, ExpectedMessages* queue, StepIndex nearest,
               const Verdict& verdict, const wire::Message& message, std::string_view body);
  bool MayWait(const Expectations::Key& key, const ExpectedMessages& queue, std::string_view body,
               StepIndex nearest);
  void Cover(const Expectations::Key& key, ExpectedMessages* queue);
  void Decide(const Expectations::Key& key, std::vector<Undecided> undecided);
  Match Extra(const Expectations::Key& key, ExpectedMessages* queue, const wire::Message& message,
              std::string_view body);
  Match Nearest(const ExpectedMessages& queue, const wire::Message& message, std::string_view body,
                Difference* item);
  void ReportStrayAnswer(Direction direction, const wire::Message& message, Difference item);
  void Accept(StepIndex index, const wire::Message& message, std::string_view body,
              const Verdict& verdict);
  void LearnId(const Step& step, std::string_view recorded, std::string_view live);
  void ReportDiffers(StepIndex index, const wire::Message& message, std::string_view body,
                     const Verdict& verdict);
  void CheckOrder(StepIndex index);
  void CheckFraming(StepIndex index, bool content_length);

  static constexpr size_t kFewPlaces = 8;  // enough to find the most similar recording

  const Script* script_;
  Frames* frames_;
  const Declarations* declared_;
  Bindings* bindings_;
  Progress* progress_;
  Options options_;
  ReplayReport* report_;

  LiveIds ids_;
  Scopes scopes_;
  MessageComparer comparer_;
  OrderRules rules_;
  DifferenceLog log_;
  Expectations expected_;
  OpenRequests open_;
  std::map<Expectations::Key, std::vector<Undecided>> undecided_;
  size_t undecided_bytes_ = 0;
  std::array<std::deque<const Mark*>, 2> junk_;
  std::array<bool, 2> framing_reported_{};
  bool host_noted_ = false;
  Chunks chunks_;
};

// Adds the bindings to the report, and whether each had another live value.
void ReportBindings(const Bindings& bindings, ReplayReport* report);

}  // namespace midwire::replay
