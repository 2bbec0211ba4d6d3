// Runner, judging the process: how it ended, its stderr, its memory, and its reaction to the end of
// stdin.
#include <algorithm>
#include <utility>

#include "fuzz/live/runner.h"
#include "fuzz/live/runner_times.h"
#include "fuzz/oracle/ending.h"
#include "fuzz/oracle/panic.h"
#include "fuzz/oracle/reason.h"

namespace midwire::fuzz {
namespace {

// Time for a sanitizer to write the report of a large program with function names.
constexpr int64_t kReportTimeout = 10'000'000'000;
constexpr int kEofProbes = 3;
// For a peer that answers no probe to come to rest.
constexpr int64_t kMaxLoading = 10'000'000'000;
// The time of a processor that a peer uses to be called busy then, and how long to wait for it.
constexpr int64_t kSpinning = 40'000'000, kMaxSpinning = 10'000'000'000;
// The place of a death after it.
constexpr char kAtEof[] = "the end of stdin";

}  // namespace

// The place of the finding. Not all messages sent at once were read by then.
FaultPlace Runner::LastPlace() const {
  if (last_unread_) return last_.after;
  return oracle_.PlaceAfter(pace_ == Pace::kLockstep ? oracle_.last_sent() : oracle_.place());
}

// What it has written to stderr because of what was sent to it. A process that ends without an
// answer, and gives no reason, may have written it in the run before: an exception is logged some
// milliseconds before node exits.
std::string Runner::NewErr() const {
  std::string err = NewLines(err_, usual_err_);
  // The log of a peer that refused messages before has their errors first.
  if (InTurn() && FindPanic(err).type == Panic::Type::kNone) {
    const size_t from = (last_unread_ ? before_last_ : last_).err;
    std::string last = NewLines(err_.substr(std::min(from, err_.size())), usual_err_);
    if (!ReasonOf(last).key.empty()) return last;
  }
  const bool late = !earlier_err_.empty() && state().answers == 0 && ReasonOf(err).key.empty();
  return late ? NewLines(earlier_err_ + err_, usual_err_) : err;
}

// Its stdout is closed: finds out how it ended.
void Runner::JudgeEnd(bool eof) {
  fresh_needed_ = true;
  last_unread_ = !eof && InTurn() && last_.size > 0 && peer_.Unread() >= last_.size;
  if (last_unread_) part_ = last_.part;
  ExitStatus exit;
  std::string rest;
  const size_t before = err_.size();
  const bool reaped = peer_.Reap(kEndTimeout, &exit, &rest, &err_);
  if (err_.size() > kMaxStderr) err_.resize(std::max(before, kMaxStderr));
  if (transcript_ != nullptr) transcript_->err.append(err_, before);
  if (!reaped) {
    if (!eof) Report(ClosedStdoutFinding(NewErr(), LastPlace()));
    return;
  }
  if (!rest.empty()) {
    oracle_.OnBytes(rest, &reply_);
  }
  oracle_.OnPeerEnd();
  if (transcript_ != nullptr) transcript_->exit = exit;
  const std::string err = NewErr();
  auto finding =
      eof ? DeathOf(exit, err, kAtEof) : EndFinding(exit, err, LastPlace(), state().sync);
  if (eof && !finding) finding = EofStatusFinding(exit, seeds_->eof_codes, err);
  if (finding) Report(std::move(*finding));
}

// A peer that writes a sanitizer's report pauses to look up function names.
void Runner::AwaitReport() {
  if (!ReportGoesOn(err_)) return;
  Await([this] { return !ReportGoesOn(err_); }, kReportTimeout);
  // Most exit after a complete report.
  Await([] { return false; }, kLostTimeout);
}

// Judges stderr of a running peer.
void Runner::JudgeStderr() {
  earlier_err_.clear();
  if (err_.empty() || !peer_.running()) return;
  AwaitReport();
  if (peer_.out_ended()) return JudgeEnd(false);
  if (auto finding = StderrFinding(err_)) {
    Report(std::move(*finding));
    fresh_needed_ = true;
  }
  earlier_err_.swap(err_);
}

MemoryUse Runner::Memory() {
  const io::ChildProcess::Memory now = peer_.MemoryUse();
  return {.resident = now.resident, .total = now.total};
}

// Compares its memory with that of a peer at rest, because a fresh peer may still be loading.
void Runner::Baseline() {
  const MemoryUse now = Memory();
  baseline_ = {.resident = std::max(now.resident, rest_.resident),
               .total = std::max(now.total, rest_.total)};
}

void Runner::JudgeMemory() {
  auto finding = MemoryFinding(baseline_, Memory(), options_.max_growth);
  if (!finding) return;
  fresh_needed_ = true;
  Report(std::move(*finding));
}

// Whether it goes on without an end. Measured by its own time: on a busy machine, one that is about
// to exit runs for long too.
bool Runner::Spins() {
  const int64_t used = peer_.ProcessorTime(), until = io::MonotonicNow() + kMaxSpinning;
  while (IsBusy(2 * kBusyWindow) && !peer_.out_ended() && io::MonotonicNow() < until) {
    if (peer_.ProcessorTime() - used > kSpinning) return true;
  }
  return false;
}

// Sends requests and closes stdin: they must be answered, and the peer must exit or rest.
void Runner::JudgeEof() {
  static const Input kNone;
  at_eof_ = true;
  oracle_.OnRun(&kNone);
  if (!probe_body_.empty()) {
    for (int i = 0; i < kEofProbes; ++i) {
      if (!Push(NextProbe(), false, true)) return;
    }
  }
  peer_.CloseStdin();
  oracle_.OnEof();
  const int64_t end = io::MonotonicNow() + std::max(Timeout(), kEndTimeout);
  while (!peer_.out_ended() && io::MonotonicNow() < end) {
    Read(std::min<int64_t>(end - io::MonotonicNow(), 100'000'000), false);
    if (state().due == 0 && io::MonotonicNow() > end - kEndTimeout / 2) break;
    if (stop && stop()) return;
  }
  // The recorded one exited then too: its host expects no answer any more.
  const bool exits = seeds_->exits_at_eof && peer_.out_ended();
  if (state().due > 0) {
    oracle_.ReportMissing(Oracle::kLostAtEof,
                          exits ? std::optional(FaultKind::kStyle) : std::nullopt);
  }
  if (peer_.out_ended()) return JudgeEnd(true);
  Read(0, false);
  const bool busy = Spins();
  if (busy || (!peer_.HasEnded() && peer_.Sleeps())) Report(AfterEofFinding(busy, err_));
}

// Memory of a peer that got no message yet: runtimes allocate after their start, and a play begins
// with that.
void Runner::MeasureRest() {
  static const Input kNone;
  rest_known_ = true;
  if (!StartPeer()) return;  // the play itself reports that
  const int64_t begin = io::MonotonicNow();
  oracle_.OnRun(&kNone);
  if (!probe_body_.empty()) {
    if (Probe()) opened_ns_ = io::MonotonicNow() - begin;
  } else {
    // On a busy machine it may still be loading then.
    do {
      Await([] { return false; }, kLostTimeout);
    } while (peer_.running() && !peer_.Sleeps() && io::MonotonicNow() - begin < kMaxLoading);
  }
  rest_ = Memory();
  usual_err_ = err_;
  EndPeer();
}

}  // namespace midwire::fuzz
