#include "fuzz/live/runner.h"

#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <utility>

#include "fuzz/ending.h"
#include "fuzz/live/investigate.h"
#include "fuzz/panic.h"
#include "fuzz/random.h"

namespace midwire::fuzz {
namespace {

constexpr int64_t kMs = 1'000'000;
// Bounds of the time for an answer that is found out by itself: a scheduler's hiccup is shorter, a
// fuzz run's patience not longer.
constexpr int64_t kMinTimeout = 100'000'000, kMaxTimeout = 2'000'000'000;
constexpr int64_t kFirstTimeout = 10'000'000'000;  // before anything is known
// After a message that broke the framing a peer that answers at all does so soon. In the search
// that is shorter still for a peer that answered fast, by how long the probe took.
constexpr int64_t kLostTimeout = 20'000'000, kMinLost = 2'000'000, kLostProbes = 100;
// To make use of an answer that is damaged, if it does.
constexpr int64_t kUseTimeout = 5'000'000, kMinUse = 500'000, kUseProbes = 50;
// A peer that is to end, and one that is looked at for burning the processor.
constexpr int64_t kEndTimeout = 1'000'000'000, kBusyWindow = 100'000'000;
// A sanitizer's report of a large program, with the names of its functions.
constexpr int64_t kReportTimeout = 10'000'000'000;
constexpr int kEofProbes = 3;
// Messages that are said at once: what any pipe takes as one (half of its usual capacity).
constexpr size_t kBatch = 32 * 1024;
// Within an input an answer is waited for this much shorter than at its end.
constexpr int kPatientSteps = 8;
// The first answer of a process is waited for so many times as long besides as its start took.
constexpr int kStarts = 4;
// Of the runs of the first process: the end of stdin is not left to be tried at the very end.
constexpr size_t kFirstRuns = 100;
// Every so many starts the session is not opened, for so many runs.
constexpr uint64_t kUnopenedEvery = 4;
constexpr size_t kUnopenedRuns = 8;
constexpr size_t kMemoryEvery = 32;  // runs between two looks at memory
// A process that reserves more than this from the start is a sanitizer's: its total says nothing.
constexpr uint64_t kReserved = uint64_t{1} << 40;
// Findings of one run, each of another key: more say nothing new.
constexpr size_t kMaxFindings = 64;
constexpr uint64_t kMaxReserve = uint64_t{2} << 30;  // what one may reserve without using it

// What no peer may do, whatever comes before its session was opened.
bool EvenUnopened(Oracle oracle) {
  return oracle == Oracle::kSignal || oracle == Oracle::kSanitizer || oracle == Oracle::kPanic ||
         oracle == Oracle::kMemory;
}

Error EndsAtOnce(const Peer::Ending& ending, const std::string& err) {
  return {"the plugin ends before it was asked anything", EndingText(ending.code, ending.signal),
          err.empty() ? "it wrote nothing to stderr" : err.substr(0, 400)};
}

}  // namespace

Runner::Runner(const RunnerOptions& options, Seeds* seeds, Features* features)
    : options_(options),
      seeds_(seeds),
      features_(features),
      peer_(options.argv, options.environment),
      prober_(seeds, features, options.prober, [this](Finding f) { Tell(std::move(f)); }),
      timeout_ns_(options.timeout_ns != 0 ? options.timeout_ns : kFirstTimeout),
      opening_(seeds->opening) {
  UseProbeTime();
  prober_.set_listener(
      [this](wire::Direction direction, const std::string& id, std::string_view bytes) {
        if (probe_ids_.contains(id)) return;
        Note(direction, bytes);
      });
}

void Runner::Tell(Finding finding) {
  if (!on(finding.oracle) || (unopened_ && !EvenUnopened(finding.oracle))) return;
  // One of a key; a peer may show it a million times, or a million of them.
  if (findings_.size() >= kMaxFindings || FindKey(findings_, finding.key) != nullptr) return;
  finding.part = part_;
  findings_.push_back(std::move(finding));
}

// ---- moving bytes

void Runner::Note(wire::Direction direction, std::string_view bytes) {
  if (transcript_ == nullptr || noted_ > kMaxTranscript) return;
  noted_ += bytes.size();
  transcript_->said.push_back({direction, std::string(bytes)});
}

// Reads what there is, and writes what the peer's requests are owed: behind a message that is being
// written, never into it.
void Runner::Read(int64_t timeout_ns, bool want_write) {
  out_.clear();
  const size_t err = err_.size();
  if (!peer_.Wait(timeout_ns, want_write, &out_, &err_)) return;
  if (err_.size() > kMaxStderr) err_.resize(kMaxStderr);  // the first of it tells the cause
  if (transcript_ != nullptr) {
    transcript_->err.append(err_, std::min(err, err_.size()));
  }
  if (out_.empty()) return;
  heard_ = true;
  prober_.OnBytes(out_, &reply_);
  if (!writing_) Reply();
}

// A peer that asks on and on without reading is given up.
bool Runner::Reply() {
  const int64_t end = MonotonicNow() + Timeout();
  while (!reply_.empty()) {
    const std::string reply = std::move(reply_);
    reply_.clear();
    if (!WriteAll(reply, false, false) || MonotonicNow() >= end) {
      reply_.clear();
      return false;
    }
  }
  return true;
}

// False: the peer takes no more.
bool Runner::Push(std::string_view bytes, bool split, bool is_probe) {
  return WriteAll(bytes, split, is_probe) && Reply();
}

bool Runner::WriteAll(std::string_view bytes, bool split, bool is_probe) {
  if (!is_probe) Note(seeds_->ours, bytes);
  writing_ = true;
  const bool written = WriteOn(bytes, split);
  writing_ = false;
  return written;
}

bool Runner::WriteOn(std::string_view bytes, bool split) {
  Random random(bytes.size());
  // Of what is long, the pieces are longer: each costs as much as a message.
  const size_t longest = std::max<size_t>(64, bytes.size() / 16);
  const int64_t end = MonotonicNow() + Timeout();
  while (!bytes.empty()) {
    const size_t piece = split ? 1 + random.Below(std::min(bytes.size(), longest)) : bytes.size();
    const size_t taken = peer_.Write(bytes.substr(0, piece));
    bytes.remove_prefix(taken);
    if (split) sched_yield();
    if (taken > 0) continue;
    Read(std::min<int64_t>(end - MonotonicNow(), 50'000'000), true);
    if (MonotonicNow() >= end || (stop && stop())) return false;
  }
  return true;
}

// True: done. False: the time is over, or the peer's stdout is closed.
bool Runner::Await(const std::function<bool()>& done, int64_t timeout_ns) {
  if (done()) return true;
  const int64_t end = MonotonicNow() + timeout_ns;
  int64_t left = timeout_ns;
  while (!peer_.out_ended() && left > 0) {
    Read(std::min<int64_t>(left, 100'000'000), false);
    if (done()) return true;
    if (stop && stop()) return false;
    left = end - MonotonicNow();
  }
  return done();
}

// What is owed, for its time. A peer whose own request had a damaged answer gets a good one: it may
// rightly wait for it.
bool Runner::AwaitAnswers(const std::function<bool()>& answered, int64_t timeout_ns) {
  const int64_t end = MonotonicNow() + timeout_ns;
  while (true) {
    const int64_t left = std::max<int64_t>(end - MonotonicNow(), 0);
    if (!Await([&] { return answered() || prober_.asked(); }, left)) return false;
    if (answered() || left == 0 || Await(answered, std::min(left, use_ns_))) return answered();
    if (peer_.out_ended() || (stop && stop()) || !Push(prober_.AnswerOpen(), false)) return false;
  }
}

// ---- one life

Status Runner::StartPeer() {
  const Status started = peer_.Start();
  if (!started) return started;
  ++starts_;
  err_.clear();
  prober_.OnPeer();
  reply_.clear();
  probe_ids_.clear();
  fresh_needed_ = heard_ = false;
  return Ok{};
}

void Runner::PlayParts(const Input& input, Pace pace) {
  prober_.OnRun(&input);
  pace_ = pace;
  if (pace == Pace::kPipelined ? PlayAtOnce(input) : PlayInTurn(input, pace)) {
    AwaitAnswers([this] { return prober_.owed() == 0; }, Timeout());
  }
}

// False: the peer takes no more.
bool Runner::PlayInTurn(const Input& input, Pace pace) {
  const auto answered = [this] { return prober_.owed() == 0; };
  bool waits = pace == Pace::kLockstep;
  for (size_t i = 0; i < input.parts.size(); ++i) {
    const std::string_view bytes = prober_.Say(i);
    if (bytes.empty()) continue;
    part_ = i;
    ++messages_;
    if (!Push(bytes, pace == Pace::kSplit)) return false;
    // A request may wait for what is said later, such as its cancellation.
    if (waits && !AwaitAnswers(answered, StepTimeout())) waits = false;
    if (peer_.out_ended() || (stop && stop())) return false;
  }
  return true;
}

// As many messages in one write as do not depend on what the peer says: a wake-up of the peer costs
// more than most messages do.
bool Runner::PlayAtOnce(const Input& input) {
  const auto answered = [this] { return prober_.owed() == 0; };
  bool waits = true;
  batch_.clear();
  for (size_t i = 0; i < input.parts.size(); ++i) {
    const bool depends = waits && prober_.owed() > 0 && prober_.Depends(i);
    if (depends || batch_.size() > kBatch) {
      if (!Push(batch_, false)) return false;
      batch_.clear();
      if (depends && !AwaitAnswers(answered, StepTimeout())) waits = false;
      if (peer_.out_ended() || (stop && stop())) return false;
    }
    const std::string_view bytes = prober_.Say(i);
    if (bytes.empty()) continue;
    part_ = i;
    ++messages_;
    batch_ += bytes;
  }
  return Push(batch_, false) && !peer_.out_ended() && !(stop && stop());
}

std::string Runner::ProbeBytes(std::string* token) {
  std::string& id = *token;
  id = probe_by_text_ ? "\"midwire-" : "";
  id += std::to_string(900'000'000 + ++probes_);
  if (probe_by_text_) id += '"';
  probe_ids_.insert(id);
  return Framed(R"({"jsonrpc":"2.0","id":)" + id + "," + probe_body_ + "}", seeds_->framing).bytes;
}

// Asks whether the peer lives. False: no answer.
bool Runner::Probe() {
  std::string id;
  const std::string bytes = ProbeBytes(&id);
  prober_.Sent(bytes, true);
  return Push(bytes, false, true) && AwaitAnswers([&] { return !prober_.owes(id); }, Timeout());
}

// Whether it burns the processor now; of a machine that is busy with other things it may have a
// small part only. Who sleeps is looked at for the whole window.
bool Runner::IsBusy(int64_t window) {
  const int64_t used = peer_.ProcessorTime(), until = MonotonicNow() + window;
  while (MonotonicNow() < until && !peer_.out_ended()) {
    Read(std::min<int64_t>(until - MonotonicNow(), 5'000'000), false);
    if (peer_.ProcessorTime() - used > window / 5) return true;
  }
  return false;
}

// After an input: has the peer read it all, and does it live?
void Runner::Settle() {
  if (peer_.out_ended()) return JudgeEnd(false);
  // One life is looked at closely: what it says behind its last answer counts as well.
  if (prober_.settled() && !closely_) return;
  if (probe_body_.empty() || prober_.closing()) {
    if (prober_.closing()) {
      // It may end now, and may take its time.
      Peer::Ending ending;
      fresh_needed_ = true;
      Await([this] { return peer_.out_ended(); }, LostTimeout());
      if (peer_.out_ended()) return JudgeEnd(false);
    }
    return;
  }
  if (!prober_.at_boundary()) {
    // A line that has not ended: the next message would be a part of it.
    if (seeds_->framing != wire::Framing::kContentLength) {
      prober_.Sent("\n", true);
      Push("\n", false);
    } else {
      const std::string blanks = prober_.Complete();
      if (prober_.at_boundary()) Push(blanks, false);
    }
    if (!prober_.at_boundary()) {
      // It waits for the rest, rightly; or what there is has ended it.
      fresh_needed_ = true;
      Await([this] { return peer_.out_ended(); }, closely_ ? kLostTimeout : use_ns_);
      if (peer_.out_ended()) JudgeEnd(false);
      return;
    }
    // What has become whole is a message, and may be owed an answer.
    AwaitAnswers([this] { return prober_.owed() == 0; }, Timeout());
    if (peer_.out_ended()) return JudgeEnd(false);
  }
  if (!prober_.in_step() || unopened_) {
    // It may have lost its way, and be right. An answer shows that it has not.
    std::string id;
    const std::string bytes = ProbeBytes(&id);
    prober_.Sent(bytes, true);
    if (Push(bytes, false, true)) Await([&] { return prober_.answered(id); }, LostTimeout());
    if (peer_.out_ended()) return JudgeEnd(false);
    if (prober_.answered(id)) return prober_.BackInStep();
    fresh_needed_ = true;
    return;
  }
  const bool was_owed = prober_.owed() != 0;
  const std::string owed(prober_.owed_method());
  if (Probe()) {
    if (was_owed) {
      prober_.TellMissing(Oracle::kMissing);
      fresh_needed_ = true;
    }
    prober_.TellUnanswered();
    return;
  }
  fresh_needed_ = true;
  AwaitReport();
  if (stop && stop()) return;
  if (peer_.out_ended()) return JudgeEnd(false);
  const bool hang = IsBusy(kBusyWindow);
  const std::string place = was_owed && !owed.empty() ? "request " + owed : prober_.last_said();
  Tell({.oracle = hang ? Oracle::kHang : Oracle::kSilence,
        .key = std::string(hang ? "hang" : "silence") + " after " + place,
        .text = std::string("a valid request is not answered, after ") + place +
                (hang ? "; the processor is busy" : "; the process sleeps"),
        .evidence = err_.substr(0, kMaxEvidence)});
}

int64_t Runner::Timeout() const {
  return timeout_ns_ * patience_ + (heard_ ? 0 : kStarts * opened_ns_);
}

int64_t Runner::LostTimeout() const { return lost_ns_ + (heard_ ? 0 : kStarts * opened_ns_); }

// Within an input; but for the start of the process.
int64_t Runner::StepTimeout() const { return heard_ ? Timeout() / kPatientSteps : Timeout(); }

// Where it has come to. What was said at once was not all read by then.
std::string Runner::Place() const {
  return pace_ == Pace::kLockstep ? prober_.last_said() : prober_.place();
}

// Its stdout is closed: how has it ended?
void Runner::JudgeEnd(bool eof) {
  fresh_needed_ = true;
  Peer::Ending ending;
  std::string rest;
  const size_t err = err_.size();
  const bool reaped = peer_.Reap(kEndTimeout, &ending, &rest, &err_);
  if (transcript_ != nullptr) transcript_->err.append(err_, err);
  if (!reaped) {
    if (eof) return;
    Tell({.oracle = Oracle::kSilence,
          .key = "silence closed stdout after " + Place(),
          .text = "its stdout is closed, and it lives on, after " + Place(),
          .evidence = err_.substr(0, kMaxEvidence)});
    return;
  }
  if (!rest.empty()) {
    prober_.OnBytes(rest, &reply_);
  }
  prober_.OnPeerEnd();
  if (transcript_ != nullptr) {
    transcript_->code = ending.code;
    transcript_->signal = ending.signal;
    transcript_->ended = true;
  }
  const std::string place = Place();
  if (auto death = DeathOf(ending.code, ending.signal, err_, place)) {
    return Tell(std::move(*death));
  }
  if (eof || prober_.closing()) return;
  // One that waits for the rest of a message may refuse it by the length that was claimed.
  const bool sound = prober_.in_step() && prober_.at_boundary();
  const Oracle oracle = sound ? Oracle::kExit : Oracle::kExitOnJunk;
  const std::string after = " after " + place;
  Tell({.oracle = oracle,
        .key = std::string(Name(oracle)) + " " + std::to_string(ending.code) + after,
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
    Tell({.oracle = report ? Oracle::kSanitizer : Oracle::kPanic,
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
  Tell({.oracle = Oracle::kMemory,
        .key = std::string("memory ") + (resident ? "resident" : "reserved"),
        .text = "memory " + std::string(resident ? "used" : "reserved") + " has grown by " +
                std::to_string(grown >> 20) + " MiB",
        .evidence = ""});
}

// Requests, then the end of stdin: they are to be answered, and it is to rest or to end.
void Runner::JudgeEof() {
  static const Input kNone;
  prober_.OnRun(&kNone);
  if (!probe_body_.empty()) {
    for (int i = 0; i < kEofProbes; ++i) {
      std::string id;
      const std::string bytes = ProbeBytes(&id);
      prober_.Sent(bytes, true);
      if (!Push(bytes, false, true)) return;
    }
  }
  peer_.CloseStdin();
  const int64_t end = MonotonicNow() + std::max(Timeout(), kEndTimeout);
  while (!peer_.out_ended() && MonotonicNow() < end) {
    Read(std::min<int64_t>(end - MonotonicNow(), 100'000'000), false);
    if (prober_.owed() == 0 && MonotonicNow() > end - kEndTimeout / 2) break;
    if (stop && stop()) return;
  }
  if (prober_.owed() > 0) prober_.TellMissing(Oracle::kLostAtEof);
  if (peer_.out_ended()) return JudgeEnd(true);
  Read(0, false);
  if (IsBusy(2 * kBusyWindow)) {
    Tell({.oracle = Oracle::kSpin,
          .key = "spin",
          .text = "its stdin is at its end, and it burns the processor",
          .evidence = err_.substr(0, kMaxEvidence)});
  }
}

void Runner::EndPeer() {
  peer_.Kill();
  fresh_needed_ = true;
}

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
  const auto& dialect = options_.prober.dialect;
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
    if (peer_.out_ended() || prober_.owed() > 0) {
      Peer::Ending ending;
      const bool ended = peer_.Reap(kEndTimeout, &ending, &out_, &err_);
      EndPeer();
      if (ended) {
        return EndsAtOnce(ending, err_);
      }
      return Error{"the plugin does not answer",
                   "the request " + std::string(prober_.owed_method()),
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
    const bool ended = peer_.out_ended();
    EndPeer();
    if (!answered && ended) {
      const Status stays = Stays();
      if (!stays) return stays;
    }
    findings_.clear();
    if (answered) {
      probe_text_ = text;
      return Ok{};
    }
    silent = text;
  }
  probe_body_.clear();
  probe_text_ =
      "what is said (it does not answer " + (silent.empty() ? "requests of our own" : silent) + ")";
  return Ok{};
}

// It has ended when it was asked something. An error: it does so without being asked.
Status Runner::Stays() {
  const Status started = StartPeer();
  if (!started) return started;
  Peer::Ending ending;
  Await([] { return false; }, kEndTimeout);
  const bool ended = peer_.out_ended() && peer_.Reap(kEndTimeout, &ending, &out_, &err_);
  EndPeer();
  if (!ended) return Ok{};
  return EndsAtOnce(ending, err_);
}

Result<std::vector<Finding>> Runner::Run(Input input, Pace pace) {
  findings_.clear();
  if (fresh_needed_ || !peer_.running()) {
    EndPeer();
    const Status started = StartPeer();
    if (!started) return started.error();
    history_.clear();
    history_bytes_ = 0;
    unopened_ = ++lives_ % kUnopenedEvery == 2 && !opening_.parts.empty();
    if (unopened_) {
      prober_.SetUnopened();
    } else {
      PlayParts(opening_, Pace::kLockstep);
    }
    if (peer_.out_ended()) JudgeEnd(false);
    if (fresh_needed_) return std::move(findings_);
    if (on_opened) on_opened();
    Baseline();
    err_.clear();
  }
  history_bytes_ += input.size();
  history_.push_back({std::move(input), pace});
  PlayParts(history_.back().first, pace);
  Settle();
  JudgeStderr();
  const bool looks = fresh_needed_ || history_.size() % kMemoryEvery == 0;
  if (looks && peer_.running()) JudgeMemory();
  if (unopened_ && history_.size() >= kUnopenedRuns) fresh_needed_ = true;
  if (prober_.unanswered() > kMaxEarlier / 2) fresh_needed_ = true;
  if (!fresh_needed_ && (history_.size() >= (ended_ ? options_.runs_per_peer : kFirstRuns) ||
                         history_bytes_ >= kMaxHistory)) {
    JudgeEof();
    ended_ = fresh_needed_ = true;
  }
  return std::move(findings_);
}

Result<std::vector<Finding>> Runner::Play(const Case& life, int patience, Transcript* transcript) {
  EndPeer();
  // What the present process was told stays known: this life is none of it.
  const bool unopened = std::exchange(unopened_, false);
  findings_.clear();
  if (!rest_known_) MeasureRest();
  findings_.clear();
  const Status started = StartPeer();
  if (!started) return started.error();
  transcript_ = transcript;
  noted_ = 0;
  patience_ = patience;
  closely_ = true;
  use_ns_ = kUseTimeout, lost_ns_ = kLostTimeout;
  Baseline();
  PlayParts(life.input, life.pace);
  Settle();
  JudgeStderr();
  if (peer_.running()) JudgeMemory();
  if (life.eof && peer_.running() && !fresh_needed_) JudgeEof();
  patience_ = 1;
  closely_ = false;
  unopened_ = unopened;
  UseProbeTime();
  EndPeer();
  transcript_ = nullptr;
  return std::move(findings_);
}

// What a peer has that was told nothing yet: runtimes take their memory only after they started,
// and a life that is played begins with that.
void Runner::MeasureRest() {
  static const Input kNone;
  rest_known_ = true;
  if (!StartPeer()) return;  // the life itself will tell
  prober_.OnRun(&kNone);
  if (!probe_body_.empty()) {
    Probe();
  } else {
    Await([] { return false; }, kLostTimeout);
  }
  rest_ = peer_.MemoryUse();
  EndPeer();
}

Case Runner::Recent(size_t runs) const {
  Case life;
  if (!unopened_) life.input = opening_;
  const size_t first = history_.size() - std::min(runs, history_.size());
  for (size_t i = first; i < history_.size(); ++i) {
    const auto& parts = history_[i].first.parts;
    life.input.parts.insert(life.input.parts.end(), parts.begin(), parts.end());
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
