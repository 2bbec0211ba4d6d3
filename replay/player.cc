#include "replay/player.h"

#include <algorithm>
#include <utility>

#include "wire/counted.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

using wire::Message;

const wire::Pointer kParent = {{"parentRequestId"}};

// Steps searched for a reverse call that should have been answered first. Only a flood has more
// between a request and its answer.
constexpr StepIndex kMaxBetween = 4096;

constexpr int kKilled = 9;  // SIGKILL, which always comes from outside

std::string Text(const ExitStatus& status) {
  return status.signal != 0 ? "signal " + std::to_string(status.signal)
                            : "exit " + std::to_string(status.code);
}

std::string Seconds(int64_t ns) {
  const int64_t tenths = (ns + 50'000'000) / 100'000'000;
  return std::to_string(tenths / 10) + (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10)) +
         " s";
}

std::array<bool, 2> PeerOf(Direction ours) {
  return {ours != Direction::kHostToPlugin, ours != Direction::kPluginToHost};
}

}  // namespace

Player::Player(const Script* script, Frames* frames, const Declarations* declared,
               Bindings* bindings, const PlayerOptions& options)
    : script_(script),
      frames_(frames),
      bindings_(bindings),
      options_(options),
      matcher_(script, frames, declared, bindings,
               {.expected = PeerOf(options.ours),
                .all_places = options.all_places,
                .in_order = options.order == Order::kStrict},
               &report_),
      composer_(script, frames, declared, bindings, &matcher_) {
  for (StepIndex i = 0; i < script->steps.size(); ++i) {
    const Step& step = script->steps[i];
    if (!ours(step)) {
      last_of_peer_ = i;
      continue;
    }
    if (!step.element) ++report_.to_send;
    content_length_ = step.content_length;
  }
  bool stdout_open = true;
  for (const Mark& mark : script->marks) {
    if (mark.type == Mark::Type::kExit) recorded_end_ = mark.exit;
    if (mark.type != Mark::Type::kEof) continue;
    if (mark.direction == Direction::kPluginToHost) stdout_open = false;
    // Otherwise the plugin had ended already, and the host only closed what was left.
    if (mark.direction == Direction::kHostToPlugin && stdout_open && !recorded_end_) {
      host_closed_ = true;
    }
  }
  if (script->sessions > 1)
    report_.notes.push_back("only the first session of the trace is played");
  if (script->cut_off) {
    report_.notes.push_back("the recording is cut off: how the session went on is unknown");
  }
  if (bindings->overflowed()) {
    report_.notes.push_back("too many values for bindings: some stay as recorded");
  }
}

void Player::OnStart(int64_t now, PlayerActions* actions) {
  active_ns_ = progress_ns_ = now;
  Pump(now, actions);
}

void Player::OnBytes(std::string_view bytes, int64_t now, PlayerActions* actions) {
  if (finished_) return;
  active_ns_ = now;
  decoder_.Feed(bytes, this);
  Pump(now, actions);
}

void Player::OnEof(int64_t now, PlayerActions* actions) {
  if (finished_ || eof_) return;
  decoder_.Finish(this);
  eof_ = true;
  active_ns_ = now;
  Pump(now, actions);
}

void Player::OnExit(const ExitStatus& status, int64_t now, PlayerActions* actions) {
  ended_ = status;
  ended_ns_ = now;
  if (!finished_) Wait(now, actions);
}

void Player::OnRoom(int64_t now, PlayerActions* actions) {
  active_ns_ = now;
  // Answers to requests that are not in the trace are no progress: a flood of calls would never
  // end.
  if (std::exchange(unread_, false)) progress_ns_ = now;
  Pump(now, actions);
}

// Messages of the peer.

void Player::OnJunk(const wire::Junk& junk) {
  if (junk.reason != wire::JunkReason::kBlank) {
    matcher_.OnJunk(Opposite(options_.ours), junk.bytes,
                    junk.reason == wire::JunkReason::kTruncated
                        ? "the start of a message whose rest was not received (wrong length?)"
                        : "bytes that are not a message");
  }
}

void Player::OnFrame(const wire::Frame& frame, const Message& message) {
  const bool content_length = frame.framing == wire::Framing::kContentLength;
  const uint64_t before = report_.difference_count;
  const std::string_view body = wire::Trimmed(frame.body());
  StepIndex step = kNoStep;
  if (message.kind == Kind::kBatch && !message.elements.empty() && wire::IsLooseJson(body)) {
    wire::JsonParts parts(body);
    wire::JsonPart part;
    for (const Message& element : message.elements) {
      if (parts.Next(&part)) step = OnPeerMessage(element, part.value, content_length);
    }
    if (step != kNoStep) {
      while (step > 0 && script_->steps[step].element) --step;
    }
  } else {
    step = OnPeerMessage(message, body, content_length);
  }
  if (step != kNoStep) progress_ns_ = active_ns_;
  if (observer_) observer_->OnLive(step, report_.difference_count != before, frame);
}

StepIndex Player::OnPeerMessage(const Message& message, std::string_view body,
                                bool content_length) {
  const Direction peer = Opposite(options_.ours);
  const Matcher::Match match = matcher_.OnMessage(peer, message, body, content_length);
  if (IsAnswer(message.kind)) {
    if (match.step != kNoStep) CheckEarly(match.step);
  } else if (message.kind == Kind::kRequest) {
    OnPeerRequest(match, message);
  }
  return match.step;
}

void Player::OnPeerRequest(const Matcher::Match& match, const Message& message) {
  const auto answer_of = [&](StepIndex request) {
    return request == kNoStep ? kNoStep : script_->steps[request].other;
  };
  if (match.step != kNoStep) {
    const StepIndex answer = answer_of(match.step);
    if (answer == kNoStep) return;  // unanswered, as recorded
    if (message.flags & wire::kTokenCut) {
      Difference item = matcher_.ItemOf(DifferenceKind::kDiffers, match.step);
      item.text = "its id or method is longer than 4096 bytes; not answered";
      matcher_.Add(std::move(item));
      return;
    }
    live_ids_[match.step] = message.id.token;
    if (options_.order != Order::kStrict && !script_->steps[answer].element) {
      ready_.emplace(answer, match.step + 1);
    }
    return;
  }
  if (message.flags & wire::kTokenCut || made_up_bytes_ > kMaxMadeUpBytes) return;
  const StepIndex answer = answer_of(match.nearest);
  const bool floats = match.nearest != kNoStep && script_->steps[match.nearest].is_volatile;
  const bool repeat = match.exhausted ? options_.exhausted == OnExhausted::kRepeat
                                      : options_.on_extra == OnExtra::kNearest;
  if (answer != kNoStep && !script_->steps[answer].element && (floats || repeat)) {
    made_up_.emplace_back(
        composer_.Compose(answer, [&](StepIndex) { return std::string_view(message.id.token); }));
  } else if (options_.on_extra != OnExtra::kSilent) {
    made_up_.push_back(composer_.ErrorAnswer(
        message, match.exhausted ? "requested more often than recorded" : "not in the trace",
        content_length_));
  } else {
    return;
  }
  made_up_bytes_ += made_up_.back().size();
}

// An answer must not come before our answers to the reverse calls that it may have waited for.
void Player::CheckEarly(StepIndex answer) {
  const StepIndex request = script_->steps[answer].other;
  if (request == kNoStep) return;
  const StepIndex from = std::max(request, low_unsent_);
  bool told = false;
  for (StepIndex i = from; i < answer && i - from < kMaxBetween; ++i) {
    const Step& sent = script_->steps[i];
    if (!ours(sent) || !IsAnswer(sent.kind) || sent.other == kNoStep || sent.other < request ||
        script_->steps[sent.other].is_volatile || matcher_.arrived(i) ||
        !IsOnlyCaller(request, sent.other, i)) {
      continue;
    }
    if (!matcher_.arrived(sent.other)) doubtful_.insert(sent.other);
    if (std::exchange(told, true)) continue;
    Difference item = matcher_.ItemOf(DifferenceKind::kEarly, answer);
    item.text = "came before our answer to its " + script_->methods[sent.method] + " (message " +
                std::to_string(script_->steps[sent.other].number) + ")";
    matcher_.Add(std::move(item));
  }
}

// Whether only `request` can have caused the reverse call: all other requests that were in flight
// then and when it was answered have their answers.
bool Player::IsOnlyCaller(StepIndex request, StepIndex reverse, StepIndex answer) {
  const Step& call = script_->steps[reverse];
  if (call.json) {
    const Result<std::string_view> frame = frames_->Get(call.at, call.size);
    if (frame) {
      const std::string_view body = BodyOf(call, *frame);
      const auto parent = wire::ValueAt(body, kParent);
      const std::string named(parent.value_or(""));
      if (parent) return composer_.IdOf(request) == named;
    }
  }
  const StepIndex first = reverse > kMaxBetween ? reverse - kMaxBetween : 0;
  for (StepIndex i = first; i < reverse; ++i) {
    const Step& step = script_->steps[i];
    const bool in_flight = i != request && ours(step) && step.kind == Kind::kRequest &&
                           step.other != kNoStep && step.other > answer;
    if (in_flight && !matcher_.arrived(step.other)) return false;
  }
  return true;
}

// Messages of our role.

std::string_view Player::LiveIdOf(StepIndex request) const {
  const auto found = live_ids_.find(request);
  return found == live_ids_.end() ? std::string_view() : std::string_view(found->second);
}

void Player::SendStep(StepIndex index, int64_t now, PlayerActions* actions) {
  const Step& step = script_->steps[index];
  const auto sent = [&](StepIndex i) {
    matcher_.SetArrived(i);
    if (script_->steps[i].kind == Kind::kRequest) {
      matcher_.OnRequest(options_.ours, composer_.IdOf(i), i);
    }
  };
  sent(index);
  for (StepIndex i = index + 1; i < script_->steps.size() && script_->steps[i].element; ++i) {
    sent(i);
  }
  actions->Send(composer_.Compose(index, [&](StepIndex request) { return LiveIdOf(request); }));
  if (IsAnswer(step.kind) && step.other != kNoStep) live_ids_.erase(step.other);
  if (observer_) observer_->OnSent(index);
  ++report_.sent;
  unread_ = true;
  active_ns_ = progress_ns_ = now;
}

// The first step from `from` on that has not arrived: answers and requests, with `all` also
// notifications.
StepIndex Player::FirstExpected(StepIndex from, bool all) const {
  for (; from < script_->steps.size(); ++from) {
    const Step& step = script_->steps[from];
    if (ours(step) || step.is_volatile || matcher_.arrived(from)) continue;
    if (all || (IsAnswer(step.kind) && step.other != kNoStep)) break;
    if (step.kind == Kind::kRequest && !doubtful_.contains(from)) break;
  }
  return from;
}

// Whether the values that it repeats are known.
bool Player::HasValues(StepIndex index) {
  if (waits_for_ == kNoStep || matcher_.arrived(waits_for_)) waits_for_ = composer_.WaitsFor(index);
  return waits_for_ == kNoStep;
}

// Whether everything that must precede the step `index` has arrived. all: notifications too.
bool Player::GateOpen(StepIndex index, bool all, int64_t now) {
  low_hard_ = FirstExpected(low_hard_, false);
  if (low_hard_ < index) return false;
  low_all_ = FirstExpected(low_all_, true);
  if (low_all_ >= index) return true;
  if (all) return false;
  // Only notifications or late calls are missing. Nothing waits for these forever.
  if (!options_.process) return true;
  const int64_t recorded = int64_t{script_->steps[low_all_].delay_us} * 2'000;
  const int64_t patience =
      std::min(std::max(kNotificationPatienceNs >> std::min(given_up_, kMaxHalvings), recorded),
               options_.timeout_ns);
  if (now >= Until(patience)) {
    low_all_ = index;
    ++given_up_;
    return true;
  }
  deadline_ = std::min(deadline_, Until(patience));
  return false;
}

// Whether the recorded pause before the step is over.
bool Player::Due(StepIndex index, int64_t now) {
  if (options_.speed <= 0 || !script_->timed) return true;
  if (due_step_ != index) {
    due_step_ = index;
    gate_ns_ = now;
  }
  const int64_t pause =
      static_cast<int64_t>(script_->steps[index].delay_us * 1000.0 / options_.speed);
  if (now >= gate_ns_ + pause) return true;
  deadline_ = std::min(deadline_, gate_ns_ + pause);
  pausing_ = true;
  return false;
}

// Moves to our next Send, or past the end. Answers go out when their requests have arrived.
void Player::SkipToNext() {
  for (; next_ < script_->steps.size(); ++next_) {
    const Step& step = script_->steps[next_];
    if (!ours(step) || step.element) continue;
    if (options_.order == Order::kStrict || !IsAnswer(step.kind) || step.other == kNoStep) return;
  }
}

// Sends one message, if one may go out now.
bool Player::PumpSend(int64_t now, PlayerActions* actions) {
  if (actions->Full()) return false;
  if (closed_) {  // requests that arrive now cannot be answered
    made_up_.clear();
    made_up_bytes_ = 0;
    ready_.clear();
  }
  if (!made_up_.empty()) {
    if (observer_) observer_->OnMadeUp(made_up_.front());
    actions->Send(made_up_.front());
    made_up_bytes_ -= made_up_.front().size();
    made_up_.pop_front();
    return true;
  }
  SkipToNext();
  const bool more = next_ < script_->steps.size() && !closed_;
  // If both may go, the recorded order decides.
  const auto open = [&] {
    if (options_.order == Order::kFree) return HasValues(next_);
    return GateOpen(next_, options_.order == Order::kStrict, now);
  };
  if (more && (ready_.empty() || next_ < ready_.begin()->first) && open() && Due(next_, now)) {
    SendStep(next_++, now, actions);
    return true;
  }
  if (PumpAnswer(now, actions)) return true;
  // May overtake answers that must wait, but not one that has only its recorded pause left, because
  // that pause would start again.
  if (pausing_ || !more || ready_.empty() || next_ < ready_.begin()->first || !open() ||
      !Due(next_, now)) {
    return false;
  }
  SendStep(next_++, now, actions);
  return true;
}

// Whether our role has repeated everything that it did between the request and its answer. Steps
// never become undone, so *cursor stores how far this is known for this answer, and low_done_ how
// far for all. Otherwise each of thousands of open calls would search through all others.
bool Player::MayAnswer(StepIndex answer, StepIndex* cursor) {
  const auto to_do = [&](const Step& step) {
    return ours(step) && (!IsAnswer(step.kind) || step.other == kNoStep);
  };
  const auto to_come = [&](const Step& step) {
    return !ours(step) && IsAnswer(step.kind) && step.other != kNoStep && !step.is_volatile;
  };
  const auto done = [&](StepIndex i) {
    const Step& step = script_->steps[i];
    return matcher_.arrived(i) || step.element || (!to_do(step) && !to_come(step));
  };
  while (low_done_ < script_->steps.size() && done(low_done_)) ++low_done_;
  const StepIndex request = script_->steps[answer].other;
  for (*cursor = std::max(*cursor, low_done_); *cursor < answer; ++*cursor) {
    const Step& step = script_->steps[*cursor];
    if (!done(*cursor) && (to_do(step) || step.other > request)) return false;
  }
  return true;
}

bool Player::PumpAnswer(int64_t now, PlayerActions* actions) {
  size_t tried = 0;
  auto at = ready_.begin();
  for (; at != ready_.end() && tried < kMaxTried; ++at, ++tried) {
    if (options_.order == Order::kFree || MayAnswer(at->first, &at->second)) break;
  }
  if (at == ready_.end() || tried == kMaxTried) {
    if (ready_.empty()) return false;
    if (now < Until(kAnswerPatienceNs)) {
      deadline_ = std::min(deadline_, Until(kAnswerPatienceNs));
      return false;
    }
    at = ready_.begin();
  }
  const StepIndex answer = at->first;
  if (!Due(answer, now)) return false;
  ready_.erase(at);
  SendStep(answer, now, actions);
  while (low_unsent_ < script_->steps.size() &&
         (!ours(script_->steps[low_unsent_]) || !IsAnswer(script_->steps[low_unsent_].kind) ||
          matcher_.arrived(low_unsent_))) {
    ++low_unsent_;
  }
  return true;
}

// For a mock: whether the host has sent its last message, has all its answers and is silent. Then
// messages that it left out will not come, and it may be waiting for us to end.
bool Player::HostIsDone(int64_t now) {
  if (last_of_peer_ == kNoStep || !matcher_.arrived(last_of_peer_) || !ready_.empty()) return false;
  const int64_t until = Until(kNotificationPatienceNs);
  leaving_ = now >= until;
  if (!leaving_) deadline_ = std::min(deadline_, until);
  return leaving_;
}

// Performs a recorded event (end of stdin, signal) once everything before it has been played.
bool Player::PumpMark(int64_t now, PlayerActions* actions) {
  if (next_mark_ == script_->marks.size()) return false;
  const Mark& mark = script_->marks[next_mark_];
  SkipToNext();
  const bool host = options_.ours == Direction::kHostToPlugin;
  const bool acts =
      host ? (mark.type == Mark::Type::kEof && mark.direction == options_.ours && host_closed_) ||
                 mark.type == Mark::Type::kSignal
           : mark.type == Mark::Type::kStderr || mark.type == Mark::Type::kExit;
  if (acts && !leaving_) {
    const bool sent =
        next_ >= mark.before && (ready_.empty() || ready_.begin()->first >= mark.before);
    if ((!sent || !GateOpen(mark.before, false, now)) &&
        (host || !recorded_end_ || !HostIsDone(now)))
      return false;
  }
  ++next_mark_;
  if (!acts) return true;
  switch (mark.type) {
    case Mark::Type::kEof:
      closed_ = true;
      actions->Close();
      break;
    case Mark::Type::kSignal:
      actions->Signal(mark.signal);
      break;
    case Mark::Type::kStderr:
      if (const auto bytes = frames_->Get(mark.at, mark.size)) actions->Stderr(*bytes);
      break;
    case Mark::Type::kExit:
      // A plugin that exits at the end of its stdin waits for it.
      if (!eof_ && host_closed_) {
        --next_mark_;
        return false;
      }
      Finish(actions);
      return false;
    case Mark::Type::kJunk:
      break;
  }
  active_ns_ = progress_ns_ = now;
  return true;
}

bool Player::everything_played() const {
  return next_ >= script_->steps.size() && ready_.empty() && made_up_.empty() &&
         next_mark_ == script_->marks.size();
}

void Player::Pump(int64_t now, PlayerActions* actions) {
  if (finished_) return;
  deadline_ = kNever;
  pausing_ = false;
  while (!finished_ && (PumpMark(now, actions) || PumpSend(now, actions))) {
  }
  if (!finished_) Wait(now, actions);
}

// Called at every message, so it keeps its place and does not search from the start.
bool Player::NothingToCome() {
  if (!everything_played()) return false;
  low_all_ = FirstExpected(low_all_, true);
  return low_all_ == script_->steps.size();
}

// Nothing can be done now: decides what to wait for, and until when.
void Player::Wait(int64_t now, PlayerActions* actions) {
  const bool host = options_.ours == Direction::kHostToPlugin;
  if (!host) {
    if (eof_) Finish(actions);
    return;
  }
  const bool nothing_to_come = NothingToCome();
  if (!options_.process) {
    if (eof_) Finish(actions);
    return;
  }
  if (everything_played()) low_hard_ = FirstExpected(low_hard_, false);
  if (everything_played() && !closed_ && !recorded_end_ && low_hard_ == script_->steps.size()) {
    // How the recorded session ended is unknown: end it as a host would, after waiting for missing
    // notifications.
    const int64_t until = Until(std::min(kNotificationPatienceNs, options_.timeout_ns));
    if (nothing_to_come || ended_ || now >= until) {
      closed_ = true;
      progress_ns_ = active_ns_ = now;
      actions->Close();
    } else {
      deadline_ = std::min(deadline_, until);
    }
  }
  if (ended_ && (eof_ || now >= ended_ns_ + kAfterExitNs)) return Finish(actions);
  if (ended_) deadline_ = std::min(deadline_, ended_ns_ + kAfterExitNs);
  if (pausing_ || options_.timeout_ns == kNever) return;
  deadline_ = std::min(deadline_, Until(Patience(nothing_to_come)));
}

// When this much silence will be over. A peer that sends only unexpected messages is not waited for
// forever either.
int64_t Player::Until(int64_t silence) const {
  return std::min(active_ns_ + silence, progress_ns_ + kChatter * silence);
}

// How long the peer may be silent. A plugin that was killed when recorded is not waited for: it
// would not exit by itself now either.
int64_t Player::Patience(bool nothing_to_come) const {
  const bool killed = recorded_end_ && recorded_end_->signal == kKilled;
  const int64_t timeout = options_.timeout_ns;
  return nothing_to_come && killed ? std::min(timeout, kNotificationPatienceNs) : timeout;
}

void Player::OnTime(int64_t now, PlayerActions* actions) {
  if (finished_) return;
  Pump(now, actions);
  if (finished_ || pausing_ || options_.timeout_ns == kNever || ended_) return;
  if (now >= Until(Patience(NothingToCome()))) OnSilence(now, actions);
}

// The peer has been silent for too long: reports that and ends the run.
void Player::OnSilence(int64_t now, PlayerActions* actions) {
  const bool talks = now < active_ns_ + options_.timeout_ns;
  const std::string silent =
      talks ? "nothing expected arrived for " + Seconds(kChatter * options_.timeout_ns)
            : "silent for " + Seconds(options_.timeout_ns);
  low_all_ = FirstExpected(low_all_, true);
  const StepIndex awaited = FirstExpected(low_hard_, false);
  hung_ = true;
  if (everything_played() && low_all_ == script_->steps.size()) {
    const bool must_end = recorded_end_ && recorded_end_->signal != kKilled;
    if (must_end) {
      Difference item = {.difference = DifferenceKind::kHung, .expected = Text(*recorded_end_)};
      item.text =
          closed_
              ? "did not end within " + Seconds(options_.timeout_ns) + " after its stdin was closed"
              : "did not end within " + Seconds(options_.timeout_ns) + " after the last message";
      matcher_.Add(std::move(item));
    } else if (!recorded_end_) {
      report_.notes.push_back("the plugin did not exit and was killed");
    }
  } else if (actions->Full()) {
    Difference item = {.difference = DifferenceKind::kHung};
    item.text = "did not read for " + Seconds(options_.timeout_ns);
    matcher_.Add(std::move(item));
  } else {
    const StepIndex step = awaited < script_->steps.size() ? awaited : low_all_;
    Difference item = step < script_->steps.size()
                          ? matcher_.ItemOf(DifferenceKind::kHung, step)
                          : Difference{.difference = DifferenceKind::kHung};
    item.text = silent + ", waiting for this";
    const int64_t recorded =
        step < script_->steps.size() ? int64_t{script_->steps[step].delay_us} * 1000 : 0;
    if (recorded > options_.timeout_ns) {
      item.text += "; the recording was silent for " + Seconds(recorded) + " here: see --timeout";
    }
    matcher_.Add(std::move(item));
  }
  decoder_.Finish(
      this);  // an unfinished message shows why nothing came: a Content-Length that is too long
  Finish(actions);
}

void Player::Finish(PlayerActions* actions) {
  if (finished_) return;
  finished_ = true;
  deadline_ = kNever;
  SkipToNext();
  const bool host = options_.ours == Direction::kHostToPlugin;
  const bool early = next_ < script_->steps.size();
  // Answers to a Send come after it, and so does everything that follows from them.
  const StepIndex limit = early ? next_ : static_cast<StepIndex>(script_->steps.size());
  const uint64_t behind = matcher_.ReportMissing(limit);
  if (host && options_.process && !hung_ && ended_) {
    const bool killed = recorded_end_ && recorded_end_->signal == kKilled;
    const bool differs = recorded_end_ && !killed && *recorded_end_ != *ended_;
    const bool crashed = (!recorded_end_ || killed) && ended_->signal != 0;
    if (early || differs || crashed) {
      Difference item = {.difference = DifferenceKind::kEnded};
      if (recorded_end_ != ended_) {  // an early exit may have the recorded status
        item.got = Text(*ended_);
        if (recorded_end_) item.expected = Text(*recorded_end_);
      }
      const uint64_t unsent = report_.to_send - report_.sent;
      item.text = early ? "exited before " + wire::Counted(unsent, "message") +
                              (unsent == 1 ? " was sent" : " were sent")
                  : crashed ? "the plugin was killed by a signal"
                            : "the plugin ended in another way than recorded";
      matcher_.Add(std::move(item));
    }
  }
  report_.to_end = !early;
  if (early && (host || behind > 0)) {
    report_.notes.push_back(
        "not sent: " + wire::Counted(report_.to_send - report_.sent, "message") + "; and " +
        std::to_string(behind) + " that follow not expected");
  }
  actions->Finish();
}

ReplayReport Player::TakeReport() {
  ReportBindings(*bindings_, &report_);
  return std::move(report_);
}

}  // namespace midwire::replay
