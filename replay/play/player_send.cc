// What the player sends and does: its own messages in their order, answers that are owed, recorded
// ends of streams and signals.
#include <algorithm>
#include <utility>

#include "replay/play/player.h"

namespace midwire::replay {

void Player::Pump(int64_t now, PlayerActions* actions) {
  if (finished()) return;
  deadline_ = kNever;
  pausing_ = false;
  while (!finished() && (PumpMark(now, actions) || PumpMessage(now, actions))) {
  }
  if (!finished()) Wait(now, actions);
}

// Moves to our next Send, or past the end. Answers go out when their requests have arrived.
void Player::SkipToNext() {
  for (; next_ < size(); ++next_) {
    const Step& step = script_->steps[next_];
    if (!ours(step) || step.element) continue;
    if (options_.order == Order::kStrict || !IsAnswer(step.kind) || step.other == kNoStep) return;
  }
}

void Player::SetSent(StepIndex index) {
  const auto sent = [&](StepIndex i) {
    progress_.SetDone(i);
    const Step& step = script_->steps[i];
    if (step.kind != Kind::kRequest) return;
    matcher_.OnRequest(options_.ours, composer_.IdOf(i), i);
    if (step.other != kNoStep) open_until_ = std::max(open_until_, step.other);
  };
  sent(index);
  for (StepIndex i = index + 1; i < size() && script_->steps[i].element; ++i) sent(i);
}

void Player::SendStep(StepIndex index, int64_t now, PlayerActions* actions) {
  SetSent(index);
  const std::string_view frame =
      composer_.Compose(index, [&](StepIndex request) { return answers_.LiveIdOf(request); });
  const Step& step = script_->steps[index];
  if (!in_batch_.empty() && in_batch_.erase(index) > 0) {
    actions->Send(Composer::InBatch(frame, step.content_length));
  } else {
    actions->Send(frame);
  }
  if (step.kind == Kind::kRequest) awaited_ = step.other;
  if (IsAnswer(step.kind) && step.other != kNoStep) answers_.Sent(index);
  if (observer_) observer_->OnSent(index);
  ++report_.sent;
  unread_ = true;
  patience_.OnProgress(now);
}

// Notes when a gate is to be asked again, and that nothing waits for what did not come.
bool Player::Passes(const GateState& state, StepIndex limit) {
  if (!state.open) RetryAt(state.retry_at);
  if (state.in_vain) {
    progress_.GiveUp(wanted(), limit);
    patience_.OnWaitedInVain();
  }
  return state.open;
}

// For what waits for silence: the peer is idle when it is judged, whatever the machine has to do.
bool Player::PassesIfIdle(const GateState& state, StepIndex limit, int64_t now,
                          PlayerActions* actions) {
  if (state.if_idle && host() && !actions->PeerIsIdle()) {
    RetryAt(now + kIdlePollNs);
    return false;
  }
  return Passes(state, limit);
}

bool Player::PauseIsOver(StepIndex step, int64_t now) {
  if (pause_.step != step) pause_ = {step, now};
  const GateState state = gate_.ForPause(step, pause_.since_ns, now);
  if (!state.open) pausing_ = true;
  return Passes(state, step);
}

GateState Player::GateOfNext(int64_t now) {
  if (options_.order != Order::kFree) {
    return gate_.ForArrivals(next_, Front::kAll, options_.order == Order::kStrict, now);
  }
  if (waits_for_ == kNoStep || progress_.done(waits_for_)) waits_for_ = composer_.WaitsFor(next_);
  return waits_for_ == kNoStep ? GateState::Open() : GateState{};
}

// An answer to a call that came within a request waits until the peer is idle. What the peer sends
// without waiting for the answer has come by then, whatever the machine has to do. So does a
// request if the call may have another cause, which has then shown itself.
bool Player::AwaitsIdle(StepIndex step, int64_t now, PlayerActions* actions) {
  if (!host() || !options_.process) return false;
  const Kind kind = script_->steps[step].kind;
  const bool waits = IsAnswer(kind)           ? matcher_.rules().MayBeAwaited(step)
                     : kind == Kind::kRequest ? matcher_.rules().MayBeCaller(step)
                                              : false;
  if (!waits) return false;
  IdleHold* hold = IsAnswer(kind) ? &idle_hold_ : &request_hold_;
  const int64_t patience = received_ > 0 ? kIdlePatienceNs : kStartPatienceNs;
  holding_ = !Passes(hold->Update(step, actions->PeerIsIdle(), now, patience), step);
  return holding_;
}

// Whether the recorded peer had nothing to do before it got this message. None of our requests was
// in flight, and the message is the first since the peer's last one. What was sent while the peer
// worked must stay so, or else it would find another peer than the recorded one.
bool Player::BeginsTurn(StepIndex step) const {
  if (last_sent_ == kNoStep) return true;
  if (open_until_ >= step) return false;
  for (StepIndex i = step; i-- > last_sent_ + 1;) {
    const Step& before = script_->steps[i];
    if (!ours(before) && !before.is_volatile) return true;
  }
  return false;
}

// A peer that sends an answer without reading its request must not send it in time by chance. So
// the request goes out when everything that the peer has written is read. In the first turns, it
// goes out when the peer has nothing left to do but to read.
bool Player::AwaitsEarlyAnswers(StepIndex step, int64_t now, PlayerActions* actions) {
  if (!host() || !options_.process || IsAnswer(script_->steps[step].kind)) return false;
  const int64_t patience = received_ > 0 ? kIdlePatienceNs : kStartPatienceNs;
  const bool had_time = waited_ == step;
  if (!had_time && turns_ < kMaxHeldTurns && BeginsTurn(step)) {
    holding_ = !Passes(turn_hold_.Update(step, actions->PeerIsIdle(), now, patience), step);
  }
  // A peer that is never idle has it read, too.
  holding_ = holding_ ||
             !Passes(unread_hold_.Update(step, actions->Unread(), received_, now, patience), step);
  return holding_;
}

bool Player::PumpNext(int64_t now, PlayerActions* actions) {
  const GateState gate = GateOfNext(now);
  if (!PassesIfIdle(gate, next_, now, actions)) return false;
  if (gate.in_vain) waited_ = next_;
  // In the strict order, answers too have their turn.
  if (AwaitsIdle(next_, now, actions) || AwaitsEarlyAnswers(next_, now, actions) ||
      !PauseIsOver(next_, now)) {
    return false;
  }
  if (!IsAnswer(script_->steps[next_].kind)) {
    if (turns_ < kMaxHeldTurns && BeginsTurn(next_)) ++turns_;
    last_sent_ = next_;
  }
  SendStep(next_++, now, actions);
  return true;
}

void Player::ReportWaits(StepIndex call, StepIndex answer) {
  const Step& waits_for = script_->steps[answer];
  Difference item = matcher_.log()->ItemOf(DifferenceKind::kWaits, call);
  item.text = "the host waits for the answer to " + script_->methods[waits_for.method] +
              " (message " + std::to_string(script_->steps[waits_for.other].number) +
              "), which was recorded after this call";
  matcher_.log()->Add(std::move(item));
}

bool Player::PumpAnswer(int64_t now, PlayerActions* actions) {
  if (answers_.empty()) return false;
  StepIndex answer = answers_.first();
  if (options_.order != Order::kFree) {
    answers_.Update();
    if (const auto free = answers_.Next()) {
      answer = *free;
    } else if (const StepIndex call = answers_.CallAwaitedBy(answer); call != kNoStep) {
      // A host that has closed its end sends no more calls; they are reported as missing.
      if (!eof_ && !Passes(gate_.ForSilence(kNotificationPatienceNs, now), answer)) return false;
      if (!eof_) ReportWaits(call, answer);
      answers_.GiveUp(call);
      return true;
    } else if (!PassesIfIdle(gate_.ForSilence(kAnswerPatienceNs, now), answer, now, actions)) {
      return false;
    }
  }
  if (AwaitsIdle(answer, now, actions) || !PauseIsOver(answer, now)) return false;
  SendStep(answer, now, actions);
  return true;
}

// Sends one message, if one may go out now.
bool Player::PumpMessage(int64_t now, PlayerActions* actions) {
  if (actions->Full()) return false;
  if (closed_) answers_.Clear();  // requests that arrive now cannot be answered
  if (answers_.any_made_up()) {
    const std::string frame = answers_.TakeMadeUp();
    if (observer_) observer_->OnMadeUp(frame);
    actions->Send(frame);
    return true;
  }
  SkipToNext();
  // If a message and an answer may both go, the recorded order decides.
  const bool more = next_ < size() && !closed_;
  const bool answer_first = answers_.first() < next_;
  holding_ = false;
  if (more && !answer_first && PumpNext(now, actions)) return true;
  if (holding_) return false;  // an answer recorded after the request does not overtake it
  if (PumpAnswer(now, actions)) return true;
  // May overtake answers that must wait, but not one that has only its recorded pause left, because
  // that pause would start again. Nor one that the peer's processor holds back: the order of what
  // we send would depend on the machine.
  return more && answer_first && !pausing_ && !holding_ && PumpNext(now, actions);
}

// For a mock: whether the host has sent its last message, has all its answers and is silent. Then
// messages that it left out will not come, and it may be waiting for us to end.
bool Player::HostIsDone(int64_t now) {
  if (last_of_peer_ == kNoStep || !progress_.done(last_of_peer_) || !answers_.empty()) return false;
  if (!Passes(gate_.ForSilence(kNotificationPatienceNs, now), size())) return false;
  life_ = Life::kLeaving;
  return true;
}

// Whether everything before a recorded event has been played.
bool Player::MarkIsDue(const Mark& mark, int64_t now, PlayerActions* actions) {
  if (life_ == Life::kLeaving) return true;
  if (next_ >= mark.before && answers_.first() >= mark.before &&
      PassesIfIdle(gate_.ForArrivals(mark.before, wanted(), false, now), mark.before, now,
                   actions)) {
    return true;
  }
  return !host() && recorded_end_ && HostIsDone(now);
}

void Player::Perform(const Mark& mark, PlayerActions* actions) {
  switch (mark.type) {
    case Mark::Type::kEof:
      closed_ = true;
      return actions->Close();
    case Mark::Type::kSignal:
      return actions->Signal(mark.signal);
    case Mark::Type::kStderr:
      if (const auto bytes = frames_->Get(mark.at, mark.size)) actions->Stderr(*bytes);
      return;
    case Mark::Type::kExit:
      return Finish(actions);
    case Mark::Type::kJunk:
      return;
  }
}

// Performs the next recorded event (end of stdin, signal) when it is due.
bool Player::PumpMark(int64_t now, PlayerActions* actions) {
  if (next_mark_ == script_->marks.size()) return false;
  const Mark& mark = script_->marks[next_mark_];
  SkipToNext();
  const bool acts =
      host() ? (mark.type == Mark::Type::kEof && mark.direction == options_.ours && host_closed_) ||
                   mark.type == Mark::Type::kSignal
             : mark.type == Mark::Type::kStderr || mark.type == Mark::Type::kExit;
  if (acts) {
    if (!MarkIsDue(mark, now, actions)) return false;
    // A plugin that exits at the end of its stdin waits for it.
    if (mark.type == Mark::Type::kExit && !eof_ && host_closed_) return false;
    Perform(mark, actions);
    patience_.OnProgress(now);
  }
  ++next_mark_;
  return true;
}

}  // namespace midwire::replay
