// The order that a trace proves. A plugin calls its host within a request, and then answers the
// request. It may have waited for our answer to the call, and so it must again; the same for its
// next call. Notifications of one method keep their order. What overlapped in the trace may come in
// any order. Called by the matcher and the player. Changes nothing but which notification came
// last, and which calls came before a request was sent.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "replay/match/progress.h"
#include "replay/script/declared.h"
#include "replay/script/script.h"

namespace midwire::replay {

// Steps searched for a reverse call that should have been answered first. Only a flood has more
// between a request and its answer.
inline constexpr StepIndex kMaxBetween = 4096;

class OrderRules {
 public:
  OrderRules(const Script* script, Frames* frames, const Declarations* declared,
             const Progress* progress);

  // Our answers to reverse calls that the peer did not wait for: it sends `answer` now, which came
  // after them in the trace. Only calls that no other request of ours can have caused.
  std::vector<StepIndex> UnsentBeforeAnswer(StepIndex answer) const;
  // The same for a reverse call: our answer to the call before it within the same request.
  std::optional<StepIndex> UnsentBeforeCall(StepIndex call) const;
  // A later call within the same request, recorded after our answer to `call`, that has arrived
  // although `call` arrives only now.
  std::optional<StepIndex> CallBefore(StepIndex call) const;
  // Whether the peer may have waited for this answer of ours before it sent something else. Then
  // the answer must not go out before the peer has had the time to send that too early.
  bool MayBeAwaited(StepIndex our_answer) const;
  // Whether a call within this request of ours may have come from the notification that we sent
  // just before it. An example: an MCP server asks for the roots once it is initialized. A fast
  // host has sent its first request by then. If the peer becomes idle before the request is sent,
  // whether the call has arrived shows which it was.
  bool MayBeCaller(StepIndex our_request) const;
  // A call has arrived.
  void OnCall(StepIndex call);

  // A notification has arrived. Returns the latest one of its kind that arrived before it although
  // it was recorded after it.
  std::optional<StepIndex> OnNotification(StepIndex step);
  // With the strict order: the first message that should have arrived before this one.
  std::optional<StepIndex> MissingBefore(StepIndex step) const;

 private:
  bool IsOnlyCaller(StepIndex request, StepIndex reverse, StepIndex answer) const;
  bool CameBefore(StepIndex call, StepIndex request) const;
  bool IsOfNone(StepIndex call) const;
  std::optional<std::string> ValueIn(StepIndex step, const wire::Pointer& at) const;

  const Script* script_;
  Frames* frames_;
  const Declarations* declared_;
  const Progress* progress_;
  std::unordered_map<StepIndex, StepIndex> after_;  // of a call, our answer to the one before it
  std::unordered_map<StepIndex, StepIndex> next_;   // of a call, the one after its answer
  std::vector<bool> within_;                        // by step: a call while a request was in flight
  std::vector<StepIndex> callers_;                  // ascending: see MayBeCaller
  size_t first_caller_ = 0;                         // those before are sent
  std::unordered_map<StepIndex, StepIndex> came_before_;  // of a call, the first not sent of them
  std::unordered_map<uint64_t, StepIndex> latest_;        // of a method's notifications, by token
};

}  // namespace midwire::replay
