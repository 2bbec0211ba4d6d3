#include "fuzz/live/runner.h"

#include <algorithm>
#include <utility>

#include "fuzz/live/investigate.h"
#include "fuzz/live/runner_times.h"
#include "fuzz/oracle/panic.h"

namespace midwire::fuzz {
namespace {

// Runs of the first process, so that the end of stdin is tested early.
constexpr size_t kFirstRuns = 100;
// One in this many processes that reach their limit is ended in order by closing stdin, and its
// exit is waited for.
constexpr uint64_t kEofEvery = 10;
// From the second start on, one in this many processes gets no opening, for this many runs.
// (Rejected: also after each long- running process. Half of all starts were for that, and language
// runtimes start slowly.)
constexpr uint64_t kUnopenedEvery = 4;
constexpr size_t kUnopenedRuns = 8;
constexpr size_t kMemoryEvery = 32;  // runs between two measurements of memory
// A message of this size has twice the time of a small one, and so on: slow parsers of correct
// peers read some MiB a second.
constexpr size_t kTimely = 256 * 1024;

int PatienceFor(const Input& input) {
  size_t largest = 0;
  for (const Part& part : input.parts) largest = std::max(largest, part.bytes.size());
  return 1 + static_cast<int>(largest / kTimely);
}

}  // namespace

Runner::Runner(const RunnerOptions& options, Seeds* seeds, Features* features)
    : options_(options),
      seeds_(seeds),
      features_(features),
      peer_(options.argv, options.environment),
      oracle_(seeds, features, options.oracle, [this](Finding f) { Report(std::move(f)); }),
      timeout_ns_(options.timeout_ns != 0 ? options.timeout_ns : kFirstTimeout),
      answer_times_(kMinAnswerTimeout, kMaxAnswerTimeout),
      opening_(seeds->opening) {
  UseProbeTime();
  oracle_.set_listener(
      [this](wire::Direction direction, const std::string& id, std::string_view bytes) {
        if (probe_ids_.contains(id)) return;
        Note(direction, bytes);
      });
}

void Runner::Report(Finding finding) {
  if (!on(finding.oracle) || !MaySpeak(finding.oracle, state().sync)) return;
  // One per key: a peer may show it a million times, or a million different ones.
  if (findings_.size() >= kMaxFindings || HasKey(findings_, finding.key)) return;
  finding.part = part_;
  finding.at_eof = at_eof_;
  findings_.push_back(std::move(finding));
}

Status Runner::StartPeer() {
  orphans_.Watch();
  if (options_.before) {
    EndPeer();  // which may still use what the command is to remove
    const int64_t begin = io::MonotonicNow();
    if (const Status before = options_.before(); !before) return before;
    before_ns_ = io::MonotonicNow() - begin;
  }
  started_at_ = io::MonotonicNow();
  const Status started = peer_.Start();
  if (!started) return started;
  ++starts_;
  err_.clear();
  earlier_err_.clear();
  oracle_.OnPeer();
  reply_.clear();
  probe_ids_.clear();
  fresh_needed_ = received_ = at_eof_ = false;
  return Ok{};
}

void Runner::EndPeer() {
  peer_.Kill();
  orphans_.Kill();
  fresh_needed_ = true;
}

Result<std::vector<Finding>> Runner::Run(Input input, Pace pace) {
  findings_.clear();
  if (fresh_needed_ || !peer_.running()) {
    EndPeer();
    const Status started = StartPeer();
    if (!started) return started.error();
    unopened_ = ++processes_ % kUnopenedEvery == 2 && !opening_.parts.empty();
    history_.clear();
    history_bytes_ = 0;
    if (unopened_) {
      oracle_.SetUnopened();
    } else {
      PlayParts(opening_, Pace::kLockstep);
    }
    // This may be its final output, which explains more than its exit status.
    if (FindPanic(err_).type != Panic::Type::kNone) Await([] { return false; }, LostTimeout());
    if (peer_.out_ended()) JudgeEnd(false);
    if (fresh_needed_) return std::move(findings_);
    if (on_opened) on_opened();
    Baseline();
    err_.clear();
  }
  history_bytes_ += input.size();
  patience_ = PatienceFor(input);
  history_.push_back({std::move(input), pace});
  PlayParts(history_.back().first, pace);
  Settle();
  JudgeStderr();
  patience_ = 1;
  const bool looks = fresh_needed_ || history_.size() % kMemoryEvery == 0;
  if (looks) orphans_.Reap(peer_.pid());
  if (looks) UseAnswerTimes();
  if (looks && peer_.running()) JudgeMemory();
  if (unopened_ && history_.size() >= kUnopenedRuns) fresh_needed_ = true;
  if (state().spent) fresh_needed_ = true;
  if (!fresh_needed_ && (history_.size() >= (ended_ > 0 ? options_.runs_per_peer : kFirstRuns) ||
                         history_bytes_ >= kMaxHistory)) {
    if (ended_++ % kEofEvery == 0) JudgeEof();
    fresh_needed_ = true;
  }
  return std::move(findings_);
}

Result<std::vector<Finding>> Runner::Play(const Case& life, int patience, Transcript* transcript) {
  EndPeer();
  // The history of the current process stays: this play is not part of it.
  const bool unopened = std::exchange(unopened_, false);
  findings_.clear();
  if (!rest_known_) MeasureRest();
  findings_.clear();
  const Status started = StartPeer();
  if (!started) return started.error();
  transcript_ = transcript;
  noted_ = 0;
  patience_ = patience * PatienceFor(life.input);
  closely_ = true;
  probes_sync_ = life.probes_sync && !probe_body_.empty();
  use_ns_ = kUseTimeout, lost_ns_ = kLostTimeout;
  Baseline();
  PlayParts(life.input, life.pace);
  Settle();
  JudgeStderr();
  if (peer_.running()) JudgeMemory();
  if (life.eof && peer_.running() && !fresh_needed_) JudgeEof();
  patience_ = 1;
  closely_ = probes_sync_ = false;
  unopened_ = unopened;
  UseProbeTime();
  EndPeer();
  transcript_ = nullptr;
  return std::move(findings_);
}

Case Runner::Recent(size_t runs) const {
  Case life;
  if (!unopened_) life.input = opening_;
  const size_t first = history_.size() - std::min(runs, history_.size());
  for (size_t i = first; i < history_.size(); ++i) {
    const auto& parts = history_[i].first.parts;
    life.input.parts.insert(life.input.parts.end(), parts.begin(), parts.end());
    // Ends the line, as Settle does; otherwise it would join with the next message.
    const bool line = seeds_->framing != wire::Framing::kContentLength;
    if (line && i + 1 < history_.size() && !parts.empty() && !parts.back().bytes.ends_with('\n')) {
      life.input.parts.push_back({.bytes = "\n"});
    }
  }
  if (!history_.empty()) life.pace = history_.back().second;
  return life;
}

Case Runner::History() const { return Recent(history_.size()); }

std::vector<Finding> Runner::Retire() {
  findings_.clear();
  const bool hurry = stop && stop();
  if (peer_.running() && !fresh_needed_ && !hurry) JudgeEof();
  EndPeer();
  return std::move(findings_);
}

}  // namespace midwire::fuzz
