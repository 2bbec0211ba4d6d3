// The runner says an input, in its pace.
#include <algorithm>

#include "fuzz/live/runner.h"
#include "fuzz/live/runner_times.h"

namespace midwire::fuzz {
namespace {

// Messages that are said at once: what any pipe takes as one (half of its usual capacity).
constexpr size_t kBatch = 32 * 1024;
// A life of so many is looked at message by message: with more that would take seconds.
constexpr size_t kFewParts = 64;
constexpr int64_t kReadLook = 200'000;  // between two looks at a peer that reads
// Of the time for an answer: what is left to be answered behind a request that was not, and what an
// answer has that is not owed.
constexpr int kLeft = 2, kNotOwed = 4;
constexpr int64_t kMaxNotOwed = 500'000'000;

}  // namespace

void Runner::PlayParts(const Input& input, Pace pace) {
  oracle_.OnRun(&input);
  pace_ = pace;
  stuck_.clear();
  late_ = false;
  if (pace == Pace::kPipelined ? PlayAtOnce(input) : PlayInTurn(input, pace)) {
    AwaitAnswers([this] { return oracle_.owed() == 0; }, late_ ? Timeout() / kLeft : Timeout());
  }
}

// False: the peer takes no more.
bool Runner::PlayInTurn(const Input& input, Pace pace) {
  const auto answered = [this] { return oracle_.owed() == 0; };
  bool waits = pace == Pace::kLockstep;
  for (size_t i = 0; i < input.parts.size(); ++i) {
    const std::string_view bytes = oracle_.Say(i);
    if (bytes.empty()) continue;
    part_ = i;
    ++messages_;
    if (!Push(bytes, pace == Pace::kSplit)) return false;
    // A request may wait for what is said later, such as its cancellation.
    if (waits && !AwaitAnswers(answered, closely_ ? Timeout() : StepTimeout())) {
      waits = false;
      late_ = closely_;
    }
    // What is said next may need what this one makes, even if it need not be answered.
    const bool few = input.parts.size() <= kFewParts;
    if (waits && closely_ && few && oracle_.awaits()) {
      AwaitAnswers([this] { return !oracle_.awaits(); },
                   std::min(Timeout() / kNotOwed, kMaxNotOwed));
    }
    if (waits && closely_ && few && !AwaitRead()) {
      stuck_ = oracle_.last_said();
      waits = false;
    }
    if (LostSync()) ProbeSync();
    if (peer_.out_ended() || (stop && stop())) return false;
  }
  return true;
}

// As many messages in one write as do not depend on what the peer says: a wake-up of the peer costs
// more than most messages do.
bool Runner::PlayAtOnce(const Input& input) {
  const auto answered = [this] { return oracle_.owed() == 0; };
  bool waits = true;
  batch_.clear();
  for (size_t i = 0; i < input.parts.size(); ++i) {
    const bool depends = waits && oracle_.owed() > 0 && oracle_.Depends(i);
    if (depends || batch_.size() > kBatch) {
      if (!Push(batch_, false)) return false;
      batch_.clear();
      if (depends && !AwaitAnswers(answered, StepTimeout())) waits = false;
      if (peer_.out_ended() || (stop && stop())) return false;
    }
    const std::string_view bytes = oracle_.Say(i);
    if (bytes.empty()) continue;
    part_ = i;
    ++messages_;
    batch_ += bytes;
    if (!LostSync()) continue;
    if (!Push(batch_, false)) return false;
    batch_.clear();
    ProbeSync();
  }
  return Push(batch_, false) && !peer_.out_ended() && !(stop && stop());
}

// So that it is known which message a peer dies of, or is kept busy by, that is owed no answer.
// False: it has neither ended, nor read what was said and gone to sleep.
bool Runner::AwaitRead() {
  const int64_t end = MonotonicNow() + std::max(kRestWindow, StepTimeout());
  while (!peer_.out_ended() && !(stop && stop())) {
    if (peer_.HasRead() && peer_.Sleeps()) return true;
    if (MonotonicNow() >= end) return false;
    Read(kReadLook, false);
  }
  return true;
}

bool Runner::LostSync() const {
  return asks_ && !oracle_.in_sync() && oracle_.at_boundary() && !oracle_.closing();
}

// Who does not answer is not asked again: the search would have taken a fresh peer.
void Runner::ProbeSync() {
  std::string id;
  const std::string bytes = ProbeBytes(&id);
  oracle_.Sent(bytes, true);
  asks_ = Push(bytes, false, true) && Await([&] { return oracle_.answered(id); }, LostTimeout());
  if (asks_) oracle_.BackInSync();
}

}  // namespace midwire::fuzz
