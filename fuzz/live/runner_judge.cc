// The runner judges the process: how it ended, what it wrote to stderr, its memory, and how it
// takes the end of its stdin.
#include <algorithm>
#include <utility>

#include "fuzz/live/runner.h"
#include "fuzz/live/runner_times.h"
#include "fuzz/oracle/ending.h"
#include "fuzz/oracle/panic.h"

namespace midwire::fuzz {
namespace {

// A sanitizer's report of a large program, with the names of its functions.
constexpr int64_t kReportTimeout = 10'000'000'000;
constexpr int kEofProbes = 3;
// A process that reserves more than this from the start is a sanitizer's: its total says nothing.
constexpr uint64_t kReserved = uint64_t{1} << 40;
constexpr uint64_t kMaxReserve = uint64_t{2} << 30;  // what one may reserve without using it

}  // namespace

// Where it has come to. What was said at once was not all read by then.
std::string Runner::Place() const {
  return pace_ == Pace::kLockstep ? oracle_.last_said() : oracle_.place();
}

// Its stdout is closed: how has it ended?
void Runner::JudgeEnd(bool eof) {
  fresh_needed_ = true;
  Peer::Ending ending;
  std::string rest;
  const size_t err = err_.size();
  const bool reaped = peer_.Reap(kEndTimeout, &ending, &rest, &err_);
  if (err_.size() > kMaxStderr) err_.resize(std::max(err, kMaxStderr));
  if (transcript_ != nullptr) transcript_->err.append(err_, err);
  if (!reaped) {
    if (eof) return;
    Report({.oracle = Oracle::kSilence,
            .key = "silence closed stdout after " + Place(),
            .text = "its stdout is closed, and it lives on, after " + Place(),
            .evidence = err_.substr(0, kMaxEvidence)});
    return;
  }
  if (!rest.empty()) {
    oracle_.OnBytes(rest, &reply_);
  }
  oracle_.OnPeerEnd();
  if (transcript_ != nullptr) {
    transcript_->code = ending.code;
    transcript_->signal = ending.signal;
    transcript_->ended = true;
  }
  const std::string place = Place();
  if (auto death = DeathOf(ending.code, ending.signal, err_, place)) {
    return Report(std::move(*death));
  }
  if (eof || oracle_.closing()) return;
  // One that waits for the rest of a message may refuse it by the length that was claimed.
  const bool sound = oracle_.in_sync() && oracle_.at_boundary();
  const Oracle oracle = sound ? Oracle::kExit : Oracle::kExitOnJunk;
  const std::string after = " after " + place;
  // Where bytes do not frame it does not matter what they were to be.
  Report(
      {.oracle = oracle,
       .key = std::string(Name(oracle)) + " " + std::to_string(ending.code) + (sound ? after : ""),
       .text = EndingText(ending.code, ending.signal) + "," + after,
       .evidence = err_.substr(0, kMaxEvidence)});
}

// A peer that is writing a sanitizer's report looks for names of functions meanwhile.
void Runner::AwaitReport() {
  if (!ReportGoesOn(err_)) return;
  Await([this] { return !ReportGoesOn(err_); }, kReportTimeout);
  // Behind a whole report most end.
  Await([] { return false; }, kLostTimeout);
}

// What it wrote while it lives on.
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

// What it has, and what one at rest has: this one may not have come so far as to load itself.
void Runner::Baseline() {
  const Peer::Memory now = peer_.MemoryUse();
  baseline_ = {.resident = std::max(now.resident, rest_.resident),
               .total = std::max(now.total, rest_.total)};
}

void Runner::JudgeMemory() {
  const Peer::Memory now = peer_.MemoryUse();
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

// Requests, then the end of stdin: they are to be answered, and it is to rest or to end.
void Runner::JudgeEof() {
  static const Input kNone;
  at_eof_ = true;
  oracle_.OnRun(&kNone);
  if (!probe_body_.empty()) {
    for (int i = 0; i < kEofProbes; ++i) {
      std::string id;
      const std::string bytes = ProbeBytes(&id);
      oracle_.Sent(bytes, true);
      if (!Push(bytes, false, true)) return;
    }
  }
  peer_.CloseStdin();
  const int64_t end = MonotonicNow() + std::max(Timeout(), kEndTimeout);
  while (!peer_.out_ended() && MonotonicNow() < end) {
    Read(std::min<int64_t>(end - MonotonicNow(), 100'000'000), false);
    if (oracle_.owed() == 0 && MonotonicNow() > end - kEndTimeout / 2) break;
    if (stop && stop()) return;
  }
  if (oracle_.owed() > 0) oracle_.ReportMissing(Oracle::kLostAtEof);
  if (peer_.out_ended()) return JudgeEnd(true);
  Read(0, false);
  if (IsBusy(2 * kBusyWindow)) {
    Report({.oracle = Oracle::kSpin,
            .key = "spin",
            .text = "its stdin is at its end, and it burns the processor",
            .evidence = err_.substr(0, kMaxEvidence)});
  }
}

// What a peer has that was told nothing yet: runtimes take their memory only after they started,
// and a life that is played begins with that.
void Runner::MeasureRest() {
  static const Input kNone;
  rest_known_ = true;
  const int64_t begin = MonotonicNow();
  if (!StartPeer()) return;  // the life itself will tell
  oracle_.OnRun(&kNone);
  if (!probe_body_.empty()) {
    if (Probe()) opened_ns_ = MonotonicNow() - begin;
  } else {
    Await([] { return false; }, kLostTimeout);
  }
  rest_ = peer_.MemoryUse();
  EndPeer();
}

}  // namespace midwire::fuzz
