// Runner, sending an input in its pace.
#include <algorithm>
#include <utility>

#include "fuzz/live/runner.h"
#include "fuzz/live/runner_times.h"

namespace midwire::fuzz {
namespace {

// Bytes sent in one write: what any pipe accepts (half of its usual capacity).
constexpr size_t kBatch = 32 * 1024, kPipe = 2 * kBatch;
// Up to this many messages a play is watched message by message; with more it would take seconds.
constexpr size_t kFewParts = 64;
constexpr int64_t kReadLook = 200'000;  // between two checks of a peer that reads
// Shares of the time for an answer: for requests after one that timed out, and for answers that are
// not expected.
constexpr int kLeft = 2, kNotOwed = 4;
constexpr int64_t kMaxNotOwed = 500'000'000;

}  // namespace

void Runner::PlayParts(const Input& input, Pace pace) {
  oracle_.OnRun(&input);
  pace_ = pace;
  stuck_.clear();
  read_ = oracle_.last_sent();
  late_ = false;
  last_ = before_last_ = {};
  last_unread_ = false;
  if (pace == Pace::kPipelined ? PlayAtOnce(input) : PlayInTurn(input, pace)) {
    AwaitAnswers([this] { return state().due == 0; }, late_ ? Timeout() / kLeft : Timeout());
  }
}

// False: the peer accepts no more.
bool Runner::PlayInTurn(const Input& input, Pace pace) {
  const auto answered = [this] { return state().due == 0; };
  bool waits = pace == Pace::kLockstep;
  for (size_t i = 0; i < input.parts.size(); ++i) {
    Sending sending;
    if (InTurn()) {
      sending = {
          .after = oracle_.PlaceAfter(oracle_.last_sent()), .part = part_, .err = err_.size()};
    }
    const std::string_view bytes = oracle_.PartToSend(i);
    if (bytes.empty()) continue;
    part_ = i;
    ++messages_;
    before_last_ = std::exchange(last_, std::move(sending));
    if (!Push(bytes, pace == Pace::kSplit)) return false;
    // A request may wait for a later message, such as its cancellation.
    if (waits && !AwaitAnswers(answered, closely_ ? Timeout() : StepTimeout())) {
      waits = false;
      late_ = closely_;
    }
    // The next message may need a value that this one creates, even if it needs no answer.
    const bool few = input.parts.size() <= kFewParts;
    if (waits && closely_ && few && state().awaits_answer) {
      AwaitAnswers([this] { return !state().awaits_answer; },
                   std::min(Timeout() / kNotOwed, kMaxNotOwed));
    }
    if (waits && closely_ && few) {
      const bool rests = AwaitRead();
      // What it has not read is not what it is busy with. Of more than the pipe holds it has read
      // a part.
      if (rests || peer_.HasRead() || bytes.size() > kPipe) read_ = oracle_.last_sent();
      if (!rests) stuck_ = read_;
      waits = rests;
    }
    if (LostSync()) probes_sync_ = ProbeSync();
    if (peer_.out_ended() || (stop && stop())) return false;
  }
  return true;
}

// Sends as many messages in one write as do not depend on the peer: waking the peer costs more than
// most messages.
bool Runner::PlayAtOnce(const Input& input) {
  const auto answered = [this] { return state().due == 0; };
  bool waits = true;
  batch_.clear();
  for (size_t i = 0; i < input.parts.size(); ++i) {
    const bool depends = waits && state().due > 0 && oracle_.Depends(i);
    if (depends || batch_.size() > kBatch) {
      if (!Push(batch_, false)) return false;
      batch_.clear();
      if (depends && !AwaitAnswers(answered, StepTimeout())) waits = false;
      if (peer_.out_ended() || (stop && stop())) return false;
    }
    const std::string_view bytes = oracle_.PartToSend(i);
    if (bytes.empty()) continue;
    part_ = i;
    ++messages_;
    batch_ += bytes;
    if (!LostSync()) continue;
    if (!Push(batch_, false)) return false;
    batch_.clear();
    probes_sync_ = ProbeSync();
  }
  return Push(batch_, false) && !peer_.out_ended() && !(stop && stop());
}

// Waits after a message that needs no answer, so that a crash or a busy loop is attributed to it.
// False: it has neither exited nor read everything and gone to sleep.
bool Runner::AwaitRead() {
  const int64_t end = io::MonotonicNow() + std::max(kRestWindow, StepTimeout());
  while (!peer_.out_ended() && !(stop && stop())) {
    if (peer_.HasRead() && peer_.Sleeps()) return true;
    if (io::MonotonicNow() >= end) return false;
    Read(kReadLook, false);
  }
  return true;
}

// A peer that does not answer is not probed again: the search would have used a fresh peer.
bool Runner::LostSync() const {
  return probes_sync_ && NeedsProbe(state().sync) && state().at_boundary;
}

}  // namespace midwire::fuzz
