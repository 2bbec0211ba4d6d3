// The runner gets to know a peer: whether it starts and opens a session, by what it shows that it
// lives, and how long that takes. Or it is told by the record of a finding.
#include <algorithm>
#include <utility>

#include "fuzz/live/runner.h"
#include "fuzz/live/runner_times.h"
#include "fuzz/oracle/ending.h"
#include "wire/json/escape.h"

namespace midwire::fuzz {
namespace {

constexpr int64_t kMs = 1'000'000;
// Bounds of the time for an answer that is found out by itself: a scheduler's hiccup is shorter, a
// fuzz run's patience not longer.
constexpr int64_t kMinTimeout = 100'000'000, kMaxTimeout = 2'000'000'000;
// Of the time for a peer that has lost its way, and for one that makes use of a damaged answer.
constexpr int64_t kMinLost = 2'000'000, kLostProbes = 100;
constexpr int64_t kMinUse = 500'000, kUseProbes = 50;

Error EndsAtOnce(const Peer::Ending& ending, const std::string& err, bool heard) {
  return {heard ? "the plugin does not survive the opening of its recorded session"
                : "the plugin ends before it was asked anything",
          EndingText(ending.code, ending.signal),
          err.empty() ? "it wrote nothing to stderr" : "it wrote: " + err.substr(0, 400)};
}

}  // namespace

void Runner::UseRecord(const FindingRecord& record) {
  probe_body_ = record.probe;
  probe_by_text_ = record.probe_by_text;
  timeout_ns_ =
      std::clamp<int64_t>(record.timeout_ms, kMinTimeout / kMs, kFirstTimeout / kMs) * kMs;
  opened_ns_ = kFirstTimeout / kStarts;  // how long it takes to start is not told
}

void Runner::Describe(FindingRecord* record) const {
  record->probe = probe_body_;
  record->probe_by_text = probe_by_text_;
  record->timeout_ms = timeout_ns_ / 1'000'000;
}

void Runner::UseProbeTime() {
  use_ns_ = std::clamp(kUseProbes * probe_ns_, kMinUse, kUseTimeout);
  lost_ns_ = std::clamp(kLostProbes * probe_ns_, kMinLost, kLostTimeout);
}

Status Runner::Calibrate() {
  // Which request shows that it lives: one of a method that nobody has, as it changes nothing.
  const auto& dialect = options_.oracle.dialect;
  const bool integers = dialect == nullptr || dialect->id_types.empty() ||
                        std::find(dialect->id_types.begin(), dialect->id_types.end(),
                                  wire::Id::Type::kInteger) != dialect->id_types.end();
  probe_by_text_ = !integers;
  std::vector<std::pair<std::string, std::string>> bodies;
  if ((seeds_->usual_flags & wire::kDap) == 0) {
    bodies.push_back({R"("method":"midwire/probe","params":{})", "a request of an unknown method"});
    if (seeds_->methods.contains("ping")) bodies.push_back({R"("method":"ping")", "ping"});
    bodies.push_back({R"("method":"midwire/probe")", "a request of an unknown method"});
  } else {
    bodies.push_back({"", ""});  // none: only how long the opening takes is found out
  }
  std::string silent;
  for (const auto& [body, text] : bodies) {
    const Status started = StartPeer();
    if (!started) return started;
    const int64_t begin = MonotonicNow();
    probe_body_.clear();
    PlayParts(opening_, Pace::kLockstep);
    const int64_t opened = MonotonicNow() - begin;
    if (stop && stop()) return Ok{};
    if (peer_.out_ended() || oracle_.owed() > 0) {
      Peer::Ending ending;
      const bool ended = peer_.Reap(kEndTimeout, &ending, &out_, &err_);
      EndPeer();
      if (ended) return EndsAtOnce(ending, err_, heard_);
      return Error{"the plugin does not answer",
                   "the request " + std::string(oracle_.owed_method()),
                   "with which its recorded session opens; --timeout gives it longer"};
    }
    probe_body_ = body;
    if (options_.timeout_ns == 0) timeout_ns_ = std::max<int64_t>(kMaxTimeout, 4 * opened);
    // The first may wait for a program that starts, the second tells how fast it is.
    const bool answered = !body.empty() && Probe();
    const int64_t again = MonotonicNow();
    if (answered && Probe()) probe_ns_ = MonotonicNow() - again;
    opened_ns_ = again - begin;
    rest_ = peer_.MemoryUse();
    rest_known_ = true;
    if (options_.timeout_ns == 0) {
      const int64_t took =
          std::max({opened_ns_ / 16, answered ? probe_ns_ : 0, seeds_->slowest_ns / 4});
      timeout_ns_ = std::clamp(20 * took, kMinTimeout, kMaxTimeout);
    }
    UseProbeTime();
    const bool said = heard_;
    if (!said) opened_ns_ = 0;  // nobody knows
    const bool ended = Await([this] { return peer_.out_ended(); }, kLostTimeout);
    EndPeer();
    if (ended) {
      const Status stays = Stays();
      if (!stays) return stays;
    }
    findings_.clear();
    if (answered) {
      probe_text_ = text;
      return Ok{};
    }
    const std::string unended(oracle_.unended());
    if (!unended.empty()) {
      return Error{"what the plugin says has no end", "it has said " + wire::Escaped(unended),
                   "a length counts the body's bytes, and a line ends with a newline; is the "
                   "framing that of the trace?"};
    }
    silent = text;
    if (!said) break;  // nor will it to another
  }
  probe_body_.clear();
  probe_text_ =
      "what is said (it does not answer " + (silent.empty() ? "requests of our own" : silent) + ")";
  return Ok{};
}

// It has ended when it was asked something. An error: it does so behind its opening alone.
Status Runner::Stays() {
  const Status started = StartPeer();
  if (!started) return started;
  PlayParts(opening_, Pace::kLockstep);
  Peer::Ending ending;
  Await([] { return false; }, kEndTimeout);
  const bool ended = peer_.out_ended() && peer_.Reap(kEndTimeout, &ending, &out_, &err_);
  EndPeer();
  if (!ended) return Ok{};
  return EndsAtOnce(ending, err_, heard_);
}

}  // namespace midwire::fuzz
