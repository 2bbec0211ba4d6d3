// Runner, judging the process: how it ended, its stderr, its memory, and its reaction to the end of
// stdin.
#include <algorithm>
#include <utility>

#include "fuzz/live/runner.h"
#include "fuzz/live/runner_times.h"
#include "fuzz/oracle/ending.h"
#include "fuzz/oracle/panic.h"

namespace midwire::fuzz {
namespace {

// Time for a sanitizer to write the report of a large program with function names.
constexpr int64_t kReportTimeout = 10'000'000'000;
constexpr int kEofProbes = 3;
// A process that reserves more than this at the start runs under a sanitizer: its total is
// meaningless.
constexpr uint64_t kReserved = uint64_t{1} << 40;
constexpr uint64_t kMaxReserve =
    uint64_t{2} << 30;  // address space that a process may reserve without using it

}  // namespace

// The place of the finding. Not all messages sent at once were read by then.
std::string Runner::Place() const {
  return pace_ == Pace::kLockstep ? oracle_.last_sent() : oracle_.place();
}

// Its stdout is closed: finds out how it ended.
void Runner::JudgeEnd(bool eof) {
  fresh_needed_ = true;
  ExitStatus exit;
  std::string rest;
  const size_t err = err_.size();
  const bool reaped = peer_.Reap(kEndTimeout, &exit, &rest, &err_);
  if (err_.size() > kMaxStderr) err_.resize(std::max(err, kMaxStderr));
  if (transcript_ != nullptr) transcript_->err.append(err_, err);
  if (!reaped) {
    if (eof) return;
    Report({.oracle = Oracle::kSilence,
            .key = "silence closed stdout after " + Place(),
            .text = "its stdout is closed, but it is still running, after " + Place(),
            .evidence = err_.substr(0, kMaxEvidence)});
    return;
  }
  if (!rest.empty()) {
    oracle_.OnBytes(rest, &reply_);
  }
  oracle_.OnPeerEnd();
  if (transcript_ != nullptr) transcript_->exit = exit;
  const std::string place = Place();
  if (auto death = DeathOf(exit, err_, place)) {
    return Report(std::move(*death));
  }
  if (eof) return;
  const std::string after = " after " + place, code = std::to_string(exit.code);
  // At most one of them may speak. For bytes that do not frame, their content is irrelevant.
  for (const Oracle oracle : {Oracle::kExit, Oracle::kExitOnJunk}) {
    Report({.oracle = oracle,
            .key = oracle == Oracle::kExit ? "exit " + code + after : "exit-on-junk " + code,
            .text = EndingText(exit) + "," + after,
            .evidence = err_.substr(0, kMaxEvidence)});
  }
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
  if (err_.empty() || !peer_.running()) return;
  AwaitReport();
  if (peer_.out_ended()) return JudgeEnd(false);
  const Panic panic = FindPanic(err_);
  if (panic.type == Panic::Type::kReport || panic.type == Panic::Type::kFatal) {
    const bool report = panic.type == Panic::Type::kReport;
    Report({.oracle = report ? Oracle::kSanitizer : Oracle::kPanic,
            .key = (report ? "sanitizer " : "panic ") + panic.key,
            .text = panic.line,
            .evidence = err_.substr(0, kMaxEvidence)});
    fresh_needed_ = true;
  }
  err_.clear();
}

// Compares its memory with that of a peer at rest, because a fresh peer may still be loading.
void Runner::Baseline() {
  const io::ChildProcess::Memory now = peer_.MemoryUse();
  baseline_ = {.resident = std::max(now.resident, rest_.resident),
               .total = std::max(now.total, rest_.total)};
}

void Runner::JudgeMemory() {
  const io::ChildProcess::Memory now = peer_.MemoryUse();
  if (now.total == 0) return;
  const bool resident = now.resident > baseline_.resident + options_.max_growth;
  const bool reserved = baseline_.total < kReserved && now.total > baseline_.total + kMaxReserve;
  if (!resident && !reserved) return;
  fresh_needed_ = true;
  const uint64_t grown = resident ? now.resident - baseline_.resident : now.total - baseline_.total;
  Report({.oracle = Oracle::kMemory,
          .key = std::string("memory ") + (resident ? "resident" : "reserved"),
          .text = "memory " + std::string(resident ? "used" : "reserved") + " has grown by " +
                  std::to_string(grown >> 20) + " MiB",
          .evidence = ""});
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
  const int64_t end = io::MonotonicNow() + std::max(Timeout(), kEndTimeout);
  while (!peer_.out_ended() && io::MonotonicNow() < end) {
    Read(std::min<int64_t>(end - io::MonotonicNow(), 100'000'000), false);
    if (state().due == 0 && io::MonotonicNow() > end - kEndTimeout / 2) break;
    if (stop && stop()) return;
  }
  if (state().due > 0) oracle_.ReportMissing(Oracle::kLostAtEof);
  if (peer_.out_ended()) return JudgeEnd(true);
  Read(0, false);
  if (IsBusy(2 * kBusyWindow)) {
    Report({.oracle = Oracle::kSpin,
            .key = "spin",
            .text = "its stdin is closed, and it keeps a processor busy",
            .evidence = err_.substr(0, kMaxEvidence)});
  } else if (!peer_.HasEnded() && peer_.Sleeps()) {
    // A host that waits for its exit leaves it behind as an orphan.
    Report({.oracle = Oracle::kSleepAtEof,
            .key = "sleep-at-eof",
            .text = "its stdin is closed, and it sleeps on",
            .evidence = err_.substr(0, kMaxEvidence)});
  }
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
    Await([] { return false; }, kLostTimeout);
  }
  rest_ = peer_.MemoryUse();
  EndPeer();
}

}  // namespace midwire::fuzz
