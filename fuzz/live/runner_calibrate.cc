// Runner, calibration: whether a peer starts and opens a session, which probe it answers, and how
// long that takes; or all of it from the record of a finding.
#include <algorithm>
#include <utility>

#include "fuzz/live/runner.h"
#include "fuzz/live/runner_times.h"
#include "fuzz/oracle/ending.h"
#include "wire/json/escape.h"

namespace midwire::fuzz {
namespace {

constexpr int64_t kMs = 1'000'000;
// An answer has so many times the time of the slowest recorded one.
constexpr int64_t kSlowestTimes = 5;
// A finding is replayed on another machine, or beside other programs: its start takes so many times
// as long. If its time is not in the record, or a multiple of it is too long, it is the longest.
constexpr int64_t kSlowerStart = 10, kLongestStart = kFirstTimeout / kStarts;
// Methods that are tried because they may end a peer, and the time for it to end: each start waits
// for that.
constexpr size_t kMaxTrials = 4;
constexpr int64_t kTrialTime = 200 * kMs;
// Bounds of the time for a peer that is out of sync, and for a reaction to a damaged answer.
constexpr int64_t kMinLost = 2'000'000, kLostProbes = 100;
constexpr int64_t kMinUse = 500'000, kUseProbes = 50;

Error EndsAtOnce(const ExitStatus& exit, const std::string& err, bool heard) {
  return {heard ? "the plugin exits during the opening of its recorded session"
                : "the plugin exits before any request",
          EndingText(exit) + "; " + StderrText(err),
          "check its command by running it alone: it must wait for messages on stdin"};
}

}  // namespace

void Runner::UseRecord(const FindingRecord& record) {
  probe_body_ = record.probe;
  probe_by_text_ = record.probe_by_text;
  timeout_ns_ =
      std::clamp<int64_t>(record.timeout_ms, kMinAnswerTimeout / kMs, kFirstTimeout / kMs) * kMs;
  const int64_t start_ns = std::min(record.start_ms, kFirstTimeout / kMs) * kMs;
  opened_ns_ = std::min(record.start_ms != 0 ? kSlowerStart * start_ns : INT64_MAX, kLongestStart);
}

void Runner::Describe(FindingRecord* record) const {
  record->probe = probe_body_;
  record->probe_by_text = probe_by_text_;
  record->timeout_ms = timeout_ns_ / kMs;
  if (opened_ns_ > 0) record->start_ms = std::max<int64_t>(opened_ns_ / kMs, 1);
}

// The probe of calibration may have met a peer that was still loading, or a busy machine: the last
// answers show what a peer needs now. Without a probe the times are the longest.
void Runner::UseProbeTime() {
  const bool now = !probe_body_.empty() && answer_times_.enough();
  const int64_t answer_ns = now ? std::min(answer_times_.Usual(), kLostTimeout) : probe_ns_;
  use_ns_ = std::clamp(kUseProbes * answer_ns, kMinUse, kUseTimeout);
  lost_ns_ = std::clamp(kLostProbes * answer_ns, kMinLost, kLostTimeout);
}

// The time for an answer follows the peer, instead of its one start. Slow recorded answers may
// occur in the search rarely.
void Runner::UseAnswerTimes() {
  UseProbeTime();
  if (options_.timeout_ns != 0 || !answer_times_.enough()) return;
  timeout_ns_ = std::clamp(std::max(answer_times_.Timeout(), kSlowestTimes * seeds_->slowest_ns),
                           kMinAnswerTimeout, kMaxAnswerTimeout);
}

Status Runner::Calibrate() {
  // The probe: a request for an unknown method, because it changes nothing; a reply proves that the
  // peer responds.
  const auto& dialect = options_.oracle.dialect;
  const bool integers = dialect == nullptr || dialect->id_types.empty() ||
                        std::find(dialect->id_types.begin(), dialect->id_types.end(),
                                  wire::Id::Type::kInteger) != dialect->id_types.end();
  probe_by_text_ = !integers;
  std::vector<std::pair<std::string, std::string>> bodies;
  constexpr char kUnknown[] = "a request for an unknown method";
  if ((seeds_->usual_flags & wire::kDap) != 0) {
    // An adapter may end at an unknown command.
    bodies.push_back({R"("command":"midwire/probe","arguments":{})", kUnknown});
    if (seeds_->methods.contains("threads"))
      bodies.push_back({R"("command":"threads")", "threads"});
  } else {
    bodies.push_back({R"("method":"midwire/probe","params":{})", kUnknown});
    if (seeds_->methods.contains("ping")) bodies.push_back({R"("method":"ping")", "ping"});
    bodies.push_back({R"("method":"midwire/probe")", kUnknown});
  }
  std::string silent;
  for (const auto& [body, text] : bodies) {
    const Status started = StartPeer();
    if (!started) return started;
    const int64_t begin = io::MonotonicNow();
    probe_body_.clear();
    PlayParts(opening_, Pace::kLockstep);
    const int64_t opened = io::MonotonicNow() - begin;
    if (stop && stop()) return Ok{};
    if (peer_.out_ended() || state().due > 0) {
      ExitStatus exit;
      const bool ended = peer_.Reap(kEndTimeout, &exit, &out_, &err_);
      EndPeer();
      if (ended) return EndsAtOnce(exit, err_, received_);
      return Error{"the plugin does not answer",
                   "the request " + std::string(oracle_.first_expected_method()),
                   "it opens the recorded session; use --timeout for a longer time"};
    }
    probe_body_ = body;
    if (options_.timeout_ns == 0) timeout_ns_ = std::max<int64_t>(kMaxAnswerTimeout, 4 * opened);
    // The first reply includes the start of the program, the second shows its speed.
    const bool answered = !body.empty() && Probe();
    const int64_t again = io::MonotonicNow();
    if (answered && Probe()) probe_ns_ = io::MonotonicNow() - again;
    opened_ns_ = again - begin;
    rest_ = Memory();
    usual_err_ = err_;
    rest_known_ = true;
    if (options_.timeout_ns == 0) {
      const int64_t took = std::max({opened_ns_ / 16 * AnswerTimes::kFactor,
                                     (answered ? probe_ns_ : 0) * AnswerTimes::kFactor,
                                     kSlowestTimes * seeds_->slowest_ns});
      timeout_ns_ = std::clamp(took, kMinAnswerTimeout, kMaxAnswerTimeout);
    }
    UseProbeTime();
    const bool received = received_;
    if (!received) opened_ns_ = 0;  // unknown
    const bool ended = Await([this] { return peer_.out_ended(); }, kLostTimeout);
    EndPeer();
    if (ended) {
      const Status stays = Stays();
      if (!stays) return stays;
    }
    findings_.clear();
    if (answered) {
      probe_text_ = text;
      TryEnds();
      return Ok{};
    }
    const std::string unended(oracle_.unfinished_message());
    if (!unended.empty()) {
      return Error{
          "the plugin sent an unfinished message", wire::Escaped(unended),
          "check its framing: a length counts the body's bytes, and a line ends with a newline"};
    }
    silent = text;
    if (!received) break;  // nor will it answer another request
  }
  probe_body_.clear();
  probe_text_ = "recorded requests (it does not answer " +
                (silent.empty() ? "requests of our own" : silent) + ")";
  TryEnds();
  return Ok{};
}

// The recording leaves open whether these methods end the peer, or the end of its stdin did.
void Runner::TryEnds() {
  size_t trials = 0;
  for (const auto& [method, part] : seeds_->may_end) {
    if (++trials > kMaxTrials || (stop && stop()) || !StartPeer()) break;
    const Input last = {.parts = {part}};
    PlayParts(opening_, Pace::kLockstep);
    PlayParts(last, Pace::kLockstep);
    ExitStatus exit;
    const bool ended = Await([this] { return peer_.out_ended(); }, kTrialTime) &&
                       peer_.Reap(kEndTimeout, &exit, &out_, &err_);
    if (ended && exit.signal == 0 && exit.code == 0) seeds_->ends.insert(method);
    EndPeer();
  }
  findings_.clear();
  const ShutdownMethods closing = oracle_.UseEnds();
  for (Input& input : seeds_->inputs) closing.LeaveOut(&input);
}

// It exited after the probe. An error: it also exits after the opening alone.
Status Runner::Stays() {
  const Status started = StartPeer();
  if (!started) return started;
  PlayParts(opening_, Pace::kLockstep);
  ExitStatus exit;
  Await([] { return false; }, kEndTimeout);
  const bool ended = peer_.out_ended() && peer_.Reap(kEndTimeout, &exit, &out_, &err_);
  EndPeer();
  if (!ended) return Ok{};
  return EndsAtOnce(exit, err_, received_);
}

}  // namespace midwire::fuzz
