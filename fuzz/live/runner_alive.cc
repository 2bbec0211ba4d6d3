// Runner, after an input: has the peer read everything, and does it respond?
#include <algorithm>

#include "fuzz/live/runner.h"
#include "fuzz/live/runner_times.h"
#include "io/process/process_state.h"
#include "wire/json/writer.h"

namespace midwire::fuzz {
namespace {

// Bytes that a peer may wait for after a header with two lengths or an odd one: the stream mutators
// claim up to ten times the length of a message.
constexpr size_t kLongestClaim = 16 * 1024;
// More than any recorded id of a request.
constexpr uint64_t kProbeIds = 900'000'000;
// A peer that still waits for a processor then has not shown anything.
constexpr int64_t kMaxLate = 10'000'000'000;
// Of a peer without a processor, this part of the time for an answer shows that it is busy.
constexpr int kLateShare = 4;
// A cassette that was reduced to bytes that do not frame shows no other trace of the protocol.
constexpr char kDapProbe[] = "\"command\":";

}  // namespace

std::string Runner::ProbeId(uint64_t number) const {
  std::string id = std::to_string(kProbeIds + number);
  return probe_by_text_ ? "\"midwire-" + id + '"' : id;
}

Part Runner::ProbeWith(const std::string& id) const {
  std::string body;
  wire::JsonWriter json(&body);
  json.Open('{');
  if (probe_body_.starts_with(kDapProbe)) {
    json.Key("seq").Raw(id);
    json.Key("type").Text("request");
  } else {
    json.Key("jsonrpc").Text("2.0");
    json.Key("id").Raw(id);
  }
  json.Raw(probe_body_);
  json.Close('}');
  return Framed(body, seeds_->framing);
}

std::optional<Part> Runner::ProbePart() const {
  if (probe_body_.empty()) return std::nullopt;
  return ProbeWith(ProbeId(0));  // no probe has it
}

// A probe to be written.
std::string Runner::NextProbe() {
  const std::string id = ProbeId(++probes_);
  probe_ids_.insert(id);
  std::string bytes = ProbeWith(id).bytes;
  oracle_.OnSent(bytes, Sent::kProbe);
  return bytes;
}

// Sends the probe. False: no reply.
bool Runner::Probe() {
  const std::string bytes = NextProbe();
  // A peer that already used the whole timeout gets half of it more.
  const int64_t time = state().due > 1 ? Timeout() / 2 : Timeout();
  return Push(bytes, false, true) && AwaitAnswers([&] { return !state().probe_due; }, time);
}

// Sends the probe to a peer that may be out of sync, which is no fault here. A reply shows that it
// is in sync.
bool Runner::ProbeSync() {
  if (Push(NextProbe(), false, true)) {
    Await([this] { return state().probe_answered; }, LostTimeout());
  }
  if (!state().probe_answered) return false;
  oracle_.OnProbeAnswered();
  return true;
}

// After a probe without an answer. A correct peer may take what follows for the rest of a body, so
// in a play more follows than any mutant claims. False: the peer answers, ends or writes something.
bool Runner::IsDeaf() {
  if (state().sync != SyncState::kMaybeLost || state().answered_since_unclear) return false;
  if (!closely_) return true;  // a suspicion, which is confirmed in a play
  const size_t received = received_bytes_;
  for (size_t sent = 0; sent < kLongestClaim;) {
    const std::string probe = NextProbe();
    sent += probe.size();
    if (!Push(probe, false, true)) break;
  }
  const int64_t ran = RanFor();
  const auto reacts = [&] { return received_bytes_ > received || peer_.out_ended(); };
  return !Await(reacts, Timeout()) && IsStuck(reacts, ran) && !Gone() && !(stop && stop());
}

// Whether it keeps a processor busy now; on a busy machine it may get only a small part. A sleeping
// peer is watched for the whole window.
bool Runner::IsBusy(int64_t window) {
  const int64_t used = peer_.ProcessorTime(), until = io::MonotonicNow() + window;
  int runs = 0, sleeps = 0;
  while (io::MonotonicNow() < until && !peer_.out_ended()) {
    Read(std::min<int64_t>(until - io::MonotonicNow(), 5'000'000), false);
    ++(peer_.Runs() ? runs : sleeps);
    if (peer_.ProcessorTime() - used > window / 5) return true;
  }
  return runs > sleeps;
}

// The time that the peer and its descendants have run, in a play.
int64_t Runner::RanFor() const { return closely_ ? io::StateOf(peer_.pid()).ran_ns : 0; }

// A peer has not answered in time. Whether it is busy; false: it sleeps; nullopt: it has answered
// by now, or only waits for a processor. Its time is counted from ran_ns on. In the search the
// clock is enough, because a suspicion is played: of a machine with many other programs, a play
// must not believe it. A peer that waits for a thread or a child of its own does not sleep.
std::optional<bool> Runner::IsStuck(const std::function<bool()>& answered, int64_t ran_ns) {
  if (!closely_) return IsBusy(kBusyWindow);
  const int64_t until = io::MonotonicNow() + kMaxLate;
  for (io::ProcessState before = io::StateOf(peer_.pid());;) {
    const int64_t end = io::MonotonicNow() + kBusyWindow;
    if (Await([&] { return answered() || io::MonotonicNow() >= end; }, kBusyWindow) && answered()) {
      return std::nullopt;
    }
    if (Gone() || (stop && stop())) return std::nullopt;
    const io::ProcessState now = io::StateOf(peer_.pid());
    const int64_t used = now.ran_ns - before.ran_ns, starved = now.starved_ns - before.starved_ns;
    // Twice: a child may end while they are looked at, and its parent wakes then.
    if (before.asleep && now.asleep && used + starved <= kBusyWindow / 5) {
      // It may have answered just before it fell asleep.
      Read(0, false);
      return answered() || Gone() ? std::nullopt : std::optional(false);
    }
    if (now.ran_ns - ran_ns > Timeout()) return true;
    if (io::MonotonicNow() >= until) {
      if (now.ran_ns - ran_ns > Timeout() / kLateShare) return true;
      return std::nullopt;
    }
    before = now;
  }
}

// For a peer without a probe: waits until it has read everything and sleeps.
void Runner::AwaitRest() {
  const int64_t end = io::MonotonicNow() + Timeout();
  while (!peer_.out_ended() && io::MonotonicNow() < end && !(stop && stop())) {
    if (!IsBusy(patience_ * kRestWindow) && peer_.HasRead() && !peer_.Runs()) return;
  }
}

// After an input: whether the peer has read everything and responds.
void Runner::Settle() {
  if (peer_.out_ended()) return JudgeEnd(false);
  // A single play is watched closely: messages after its last answer count too.
  if (state().settled && !closely_) return;
  const bool closing = IsClosing(state().sync);
  if (probe_body_.empty() || closing) {
    if (closing) {
      // It may exit now, which takes time with a sanitizer that checks for leaks.
      fresh_needed_ = true;
      const auto ended = [this] { return peer_.out_ended(); };
      if (!Await(ended, LostTimeout()) && (closely_ || !peer_.Sleeps())) {
        Await(ended, std::min(Timeout(), kEndTimeout));
      }
    } else if (closely_) {
      AwaitRest();
    }
    if (peer_.out_ended()) JudgeEnd(false);
    return;
  }
  if (!state().at_boundary) {
    // An unfinished line: the next message would become part of it.
    if (seeds_->framing != wire::Framing::kContentLength) {
      oracle_.OnSent("\n", Sent::kAside);
      Push("\n", false);
    } else {
      const std::string blanks = oracle_.CompleteBody();
      if (state().at_boundary) Push(blanks, false);
    }
    if (!state().at_boundary) {
      // It correctly waits for the rest, or was ended by this part.
      fresh_needed_ = true;
      Await([this] { return peer_.out_ended(); }, closely_ ? kLostTimeout : use_ns_);
      if (Gone()) JudgeEnd(false);
      return;
    }
    // The completed bytes are a message, which may need an answer.
    AwaitAnswers([this] { return state().due == 0; }, Timeout());
    if (peer_.out_ended()) return JudgeEnd(false);
  }
  if (state().sync != SyncState::kInSync) {
    if (ProbeSync()) return;
    if (Gone()) return JudgeEnd(false);
    fresh_needed_ = true;
    if (on(Oracle::kDeaf) && IsDeaf()) {
      Report(DeafFinding(err_, oracle_.PlaceAfter(oracle_.last_sent())));
    }
    if (Gone()) return JudgeEnd(false);
    // A peer whose requests are no longer answered may wait for answers, but it must still read.
    if (state().sync != SyncState::kLost || peer_.HasRead() || (stop && stop())) return;
    const auto busy = IsStuck([this] { return peer_.HasRead(); }, RanFor());
    if (busy) Report(NoAnswerFinding(*busy, NewErr(), oracle_.PlaceAfter(oracle_.last_sent())));
    return;
  }
  // What it writes after the probe is about the probe.
  if (closely_ && state().due == 0) AwaitQuiet();
  const bool was_owed = state().due != 0;
  const std::string owed(oracle_.first_expected_method());
  const int64_t ran = RanFor();
  if (!Probe()) {
    fresh_needed_ = true;
    AwaitReport();
    if (stop && stop()) return;
    if (Gone()) return JudgeEnd(false);
    const std::string place = !stuck_.empty()             ? stuck_
                              : was_owed && !owed.empty() ? "request " + owed
                                                          : oracle_.last_sent();
    const auto busy = IsStuck([this] { return !state().probe_due; }, ran);
    if (busy) return Report(NoAnswerFinding(*busy, NewErr(), oracle_.PlaceAfter(place)));
    if (Gone()) return JudgeEnd(false);
    if (state().probe_due) return;
  }
  if (was_owed) {
    fresh_needed_ = true;
    // Another thread of the peer may still work on it.
    const auto answered = [this] { return state().due == 0; };
    // A thread that still waits for a processor has no time of that yet.
    const io::ProcessState now = closely_ ? io::StateOf(peer_.pid()) : io::ProcessState();
    const bool late = !now.asleep || now.starved_ns > Timeout() / kLateShare;
    if (!late || IsStuck(answered, ran)) oracle_.ReportMissing(Oracle::kMissing);
  }
  oracle_.ReportUnanswered();
}

}  // namespace midwire::fuzz
