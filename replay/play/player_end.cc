// How long the player waits, and how a run ends: everything was played, the peer has exited, or it
// has been silent for too long.
#include <algorithm>
#include <utility>

#include "replay/play/player.h"
#include "wire/counted.h"

namespace midwire::replay {
namespace {

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

}  // namespace

bool Player::everything_played() const {
  return next_ >= size() && answers_.empty() && !answers_.any_made_up() &&
         next_mark_ == script_->marks.size();
}

bool Player::was_killed() const { return recorded_end_ && recorded_end_->signal == kKilled; }

// What ended the recorded session is unknown: ends it as a host would, after waiting for missing
// notifications.
void Player::CloseWhenPlayed(int64_t now, PlayerActions* actions) {
  if (!everything_played() || closed_ || (recorded_end_ && knows_ends_) ||
      !progress_.all_done(Front::kAnswersAndCalls)) {
    return;
  }
  const int64_t silence = std::min(kNotificationPatienceNs, options_.timeout_ns);
  if (!nothing_to_come() && !ended_ &&
      !PassesIfIdle(gate_.ForSilence(silence, now), size(), now, actions)) {
    return;
  }
  closed_ = true;
  patience_.OnProgress(now);
  actions->Close();
}

// Nothing can be done now: decides what to wait for, and until when.
void Player::Wait(int64_t now, PlayerActions* actions) {
  if (!host() || !options_.process) {
    if (eof_) Finish(actions);
    return;
  }
  CloseWhenPlayed(now, actions);
  if (ended_ && (eof_ || now >= ended_ns_ + kAfterExitNs)) return Finish(actions);
  if (ended_) RetryAt(ended_ns_ + kAfterExitNs);
  if (pausing_ || options_.timeout_ns == kNever) return;
  const int64_t until = patience_.Until(PatienceAtEnd());
  RetryAt(until > now ? until : now + kIdlePollNs);  // later: it runs
}

// How long the peer may be silent. A plugin that was killed when recorded is not waited for: it
// would not exit by itself now either.
int64_t Player::PatienceAtEnd() const {
  int64_t timeout = patience_.ForAnything();
  if (options_.waits_as_recorded) {
    const int64_t recorded = RecordedSilence(progress_.front(Front::kAnswersAndCalls));
    timeout = std::max(timeout, recorded + std::min(recorded, kSlowerNs));
  }
  return nothing_to_come() && was_killed() ? std::min(timeout, kNotificationPatienceNs) : timeout;
}

int64_t Player::RecordedSilence(StepIndex step) const {
  return step < size() ? int64_t{script_->steps[step].delay_us} * 1000 : 0;
}

// The peer has been silent for too long: reports that and ends the run.
void Player::OnSilence(int64_t now, PlayerActions* actions) {
  life_ = Life::kHung;
  // Nothing is known of how the plugin ends: it need not.
  const bool may_stay = was_killed() || (!recorded_end_ && script_->cut_off);
  if (!nothing_to_come() || !may_stay) {
    matcher_.log()->Add(Silence(now, actions));
    // Nothing else shows it: what such a plugin reads has no end for it.
    if (received_ == 0 && last_of_peer_ != kNoStep) {
      report_.notes.push_back(content_length_
                                  ? "the plugin has sent nothing: it may expect lines, and the "
                                    "recording has Content-Length"
                                  : "the plugin has sent nothing: it may expect Content-Length, "
                                    "and the recording has lines");
    }
  } else if (!recorded_end_) {
    report_.notes.push_back("the plugin did not exit and was killed");
  }
  // An unfinished message shows why nothing came: a Content-Length that is too long.
  decoder_.Finish(this);
  Finish(actions);
}

Difference Player::Silence(int64_t now, PlayerActions* actions) const {
  Difference item = {.difference = DifferenceKind::kHung};
  const int64_t patience = PatienceAtEnd();
  const std::string timeout = Seconds(patience);
  if (nothing_to_come()) {
    if (recorded_end_) item.expected = Text(*recorded_end_);
    item.text = "did not end within " + timeout +
                (closed_ ? " after its stdin was closed"
                         : " after the last message; its stdin is open, as recorded");
    if (!recorded_end_) {
      item.text +=
          "; the trace has no exit; if this is right, add the line "
          "{\"event\":{\"event\":\"exit\",\"signal\":9}} to it";
    }
    return item;
  }
  if (actions->Full()) {
    item.text = "did not read for " + timeout;
    return item;
  }
  const StepIndex hard = progress_.front(Front::kAnswersAndCalls);
  const StepIndex step = hard < size() ? hard : progress_.front(Front::kEnd);
  const bool talks = now < patience_.active() + patience;
  const std::string text = talks ? "nothing expected arrived for " + Seconds(kChatter * patience)
                                 : "silent for " + timeout;
  if (step < size()) {
    const Step& awaited = script_->steps[step];
    item.frame = awaited.number;
    item.direction = awaited.direction;
    item.kind = awaited.kind;
    item.method = script_->methods[awaited.method];
  }
  item.text = text + ", waiting for this";
  if (const int64_t recorded = RecordedSilence(step); recorded > patience) {
    item.text += "; the recording was silent for " + Seconds(recorded) + " here: see --timeout";
  }
  return item;
}

// A peer that exits early may do so before or after we have sent what it will not read. So that the
// report does not depend on that, everything counts as sent whose turn had come, and each answer
// whose request had arrived.
void Player::AssumeSent() {
  for (const StepIndex answer : answers_.TakeOwed()) {
    SetSent(answer);
    ++report_.sent;
  }
  // In the free order, only what waits for a value had to wait for the peer.
  const bool free = options_.order == Order::kFree;
  const StepIndex limit = free ? size() : progress_.front(Front::kAll);
  for (; next_ < limit && !(free && composer_.WaitsFor(next_) != kNoStep); SkipToNext()) {
    SetSent(next_++);
    ++report_.sent;
  }
}

void Player::Finish(PlayerActions* actions) {
  if (finished()) return;
  // A plugin that exited; one that hung was killed by us.
  const bool exited = host() && options_.process && ended_ && life_ != Life::kHung;
  life_ = Life::kFinished;
  deadline_ = kNever;
  SkipToNext();
  if (exited) AssumeSent();
  const bool early = next_ < size();
  // Answers to a Send come after it, and so does everything that follows from them.
  const auto [behind, unsaid] = matcher_.ReportMissing(early ? next_ : size(), !host() && eof_);
  if (unsaid > 0) {
    report_.notes.push_back("the host closed its end; so not received: " +
                            wire::Counted(unsaid, "message"));
  }
  if (exited) ReportEnd(early);
  report_.to_end = !early;
  if (early && (host() || behind > 0)) {
    report_.notes.push_back(
        "not sent: " + wire::Counted(report_.to_send - report_.sent, "message") +
        (behind == 0 ? "" : "; so not expected: " + wire::Counted(behind, "message")));
  }
  actions->Finish();
}

void Player::ReportEnd(bool early) {
  // The trace does not have how the plugin ends by itself.
  const bool without = !recorded_end_ || was_killed();
  const bool differs = !without && *recorded_end_ != *ended_;
  const bool crashed = without && ended_->signal != 0;
  const bool failed = without && !crashed && ended_->code != 0;
  // Nor could it have that: nothing is known of it.
  const bool unknown = was_killed() || script_->cut_off;
  if (!early && failed && unknown) {
    report_.notes.push_back("the plugin ended with " + Text(*ended_) +
                            "; how it ended when recorded is unknown");
  }
  if (!early && !differs && !crashed && (!failed || unknown)) return;
  Difference item = {.difference = DifferenceKind::kEnded};
  if (recorded_end_ != ended_) {  // an early exit may have the recorded status
    item.got = Text(*ended_);
    if (recorded_end_) item.expected = Text(*recorded_end_);
  }
  const uint64_t unsent = report_.to_send - report_.sent;
  item.text = early ? "exited before " + wire::Counted(unsent, "message") +
                          (unsent == 1 ? " was sent" : " were sent")
              : crashed ? "the plugin was killed by a signal"
              : failed  ? "the trace has no exit; if this one is right, add the line "
                          "{\"event\":{\"event\":\"exit\",\"code\":" +
                             std::to_string(ended_->code) + "}} to it"
                       : "the plugin ended in another way than recorded";
  matcher_.log()->Add(std::move(item));
}

}  // namespace midwire::replay
