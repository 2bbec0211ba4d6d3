#include "tools/fuzzing/reduction.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "fuzz/case.h"
#include "fuzz/cause.h"
#include "fuzz/live/finding_record.h"
#include "fuzz/oracle/ending.h"
#include "io/clock.h"
#include "io/files/file_sink.h"
#include "io/files/write_file.h"
#include "io/interrupt.h"
#include "io/signals.h"
#include "tools/command.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "trace/source.h"
#include "wire/counted.h"
#include "wire/json/escape.h"
#include "wire/quantity.h"

namespace midwire::tools {
namespace {

// With the fastest plugin, this takes minutes.
constexpr size_t kMaxPlays = 100'000;
// A flaky fault gets as many tries as a replay of its finding.
constexpr int kManyTries = fuzz::kMostPlays;
// Factor on the time for an answer where a wrong verdict costs most.
constexpr int kReductionPatience = 2;

// A share of --reduce-time. Less is not enough to play a finding and to confirm the result.
constexpr int64_t kLeastShare = 1'000'000'000;

// Checked first: an output that cannot be written must not cost a minute of work.
Status CanBeWritten(const std::string& path) {
  const auto sink = io::FileSink::Create(path);
  return sink ? Status(Ok{}) : sink.error();
}

// A pipe, such as <(...) of a shell, can be read only once.
Status CanBeReadAgain(const std::string& trace) {
  struct stat file;
  const bool once = trace == "-" || (stat(trace.c_str(), &file) == 0 && !S_ISREG(file.st_mode) &&
                                     !S_ISDIR(file.st_mode));
  if (!once) return Ok{};
  return Error{"not a regular file", trace,
               "save the trace to a file first: it is read more than once"};
}

int WriteResult(const std::string& path, const std::string& text) {
  const Status status = io::WriteNewFile(path, text);
  if (status) return kFine;
  return Fail(status.error(), kDataLost);
}

}  // namespace

int Reduction::Run() {
  for (const auto step : {&Reduction::ParseOptions, &Reduction::Load, &Reduction::Calibrate,
                          &Reduction::PlayWhole, &Reduction::MakeSmaller, &Reduction::PlayAgain}) {
    if (const Ends code = (this->*step)()) return *code;
  }
  return Write();
}

bool Reduction::over() const { return io::MonotonicNow() > end_ns_; }

bool Reduction::stop() const {
  if (io::Interrupted() != 0 || keep_.failure->error) return true;
  return !given_.quiet && io::MonotonicNow() > end_ns_ + timeout_ns_;
}

bool Reduction::smaller() const {
  const fuzz::Input& before = loaded_.life.input;
  const fuzz::Input& now = reduced_.life.input;
  return now.parts.size() < before.parts.size() || now.size() < before.size();
}

// The path of the result: the named one, or a free name beside the trace.
std::string Reduction::Path() const {
  if (!given_.output.empty()) return given_.output;
  std::string stem = given_.trace;
  for (const char* end : {".jsonl", ".pcapng"}) {
    if (stem.ends_with(end)) stem.resize(stem.size() - strlen(end));
  }
  std::string name = stem + ".reduced.jsonl";
  struct stat there;
  for (int i = 2; lstat(name.c_str(), &there) == 0; ++i) {
    name = stem + ".reduced." + std::to_string(i) + ".jsonl";
  }
  return name;
}

Reduction::Ends Reduction::ParseOptions() {
  const auto time = wire::ParseDuration(given_.max_time),
             timeout = wire::ParseDuration(given_.timeout);
  if (!time || *time == 0)
    return Fail(WrongValue("--max-time", given_.max_time, "not a duration above 0", "try 30s, 5m"));
  if (!timeout || *timeout == 0)
    return Fail(WrongValue("--timeout", given_.timeout, "not a duration above 0", "try 500ms"));
  time_ns_ = *time, timeout_ns_ = *timeout;
  path_ = Path();
  const Status readable = CanBeReadAgain(given_.trace);
  if (!readable) return Fail(readable.error());
  const Status writable = CanBeWritten(path_);
  if (!writable) return Fail(writable.error());
  const auto record = FindingOf(given_.trace);
  if (!record) return Fail(record.error());
  record_ = *record;
  const auto keep = ParseKeep(given_.keep, known());
  if (!keep) return Fail(keep.error());
  keep_ = *keep;
  return std::nullopt;
}

Reduction::Ends Reduction::Load() {
  std::string dialect = given_.dialect;
  if (dialect.empty() && record_) dialect = record_->dialect.empty() ? "none" : record_->dialect;
  auto loaded = LoadCase(given_.trace, dialect, known());
  if (!loaded) return Fail(loaded.error());
  loaded_ = std::move(*loaded);
  if (loaded_.missing && record_) return ReportError(*loaded_.missing), kDataLost;
  if (loaded_.life.input.parts.empty() && !record_) {
    return Fail(
        {"the trace has no messages of a host", given_.trace, "look at it with midwire show"});
  }
  if (loaded_.missing) ReportNote(loaded_.missing->Text());

  options_ = {.argv = PluginCommand(), .timeout_ns = timeout_ns_};
  options_.before = given_.before;
  options_.oracle.dialect = loaded_.seeds->dialect.get();
  // Oracles that are off by default are on here: the finding to keep may be theirs.
  if (record_ || given_.keep.starts_with("finding=")) options_.oracle.oracles.set();
  // Except big-id, which changes which requests must be answered.
  const auto big_id = static_cast<size_t>(fuzz::Oracle::kBigId);
  if (record_) options_.oracle.oracles.set(big_id, record_->big_ids);
  if (!record_) return std::nullopt;
  // A request whose answer was removed must not get it all the same: the cassette has the answer
  // that may be the fault.
  loaded_.seeds->seeds.answers.clear();
  if (options_.oracle.dialect != nullptr) Exempt(record_->exempt, loaded_.seeds->dialect.get());
  options_.host = record_->of_host;
  options_.plugin_name = record_->plugin_name;
  if (record_->max_growth != 0) options_.max_growth = record_->max_growth;
  loaded_.life.pace = record_->pace;
  loaded_.life.eof = record_->eof;
  loaded_.life.probes_sync = record_->probes_sync;
  tries_ = fuzz::PlaysToShow(record_->hits, record_->tries);
  return std::nullopt;
}

Reduction::Ends Reduction::Calibrate() {
  target_ = fuzz::MakeTarget(options_, &loaded_.seeds->seeds, &features_);
  io::IgnoreSignals({SIGPIPE, SIGXFSZ});  // a file size limit is then reported like a full disk
  io::CatchInterrupts({SIGINT, SIGTERM, SIGHUP});
  end_ns_ = io::MonotonicNow() + time_ns_;
  keep_.failure->stop = target_->stop = [this] { return stop(); };
  shows_ = [this](const auto& findings, const auto& transcript, auto* found) {
    return !stop() && keep_.shows(findings, transcript, found);
  };
  if (record_) {
    target_->UseRecord(*record_);
    return std::nullopt;
  }
  // The effect of the last message shows when a probe behind it is answered, or is not.
  const Status calibrated = target_->Calibrate();
  if (!calibrated && !stop()) return Fail(calibrated.error());
  return std::nullopt;
}

Reduction::Ends Reduction::PlayWhole() {
  // Some faults need two messages at once, and some show only when stdin is closed.
  using Way = std::pair<fuzz::Pace, bool>;
  std::vector<Way> ways = {{loaded_.life.pace, loaded_.life.eof}};
  if (!record_) ways.insert(ways.end(), {{fuzz::Pace::kPipelined, false}, {ways[0].first, true}});
  bool does_it = false;
  int plays = 0;  // that came to their end
  const int tries = tries_ * static_cast<int>(ways.size());
  for (int i = 0; i < tries && !does_it && !stop() && !(i > 0 && over()); ++i) {
    std::tie(loaded_.life.pace, loaded_.life.eof) = ways[static_cast<size_t>(i / tries_)];
    whole_ = {};
    const auto findings = target_->Play(loaded_.life, kReductionPatience, &whole_);
    if (!findings) return Fail(findings.error());
    first_ = *findings;
    NoteKeys();
    does_it = shows_(first_, whole_, &finding_);
    plays += !stop();
  }
  if (keep_.failure->error) return ReportError(*keep_.failure->error), keep_.failure->code;
  if (does_it) return std::nullopt;
  if (given_.quiet) return kDifference;
  if (io::Interrupted() != 0) {
    target_.reset();
    io::EndByInterrupt();
  }
  if (plays == 0) {
    return Fail({"the time ran out before the whole trace was played",
                 "--max-time " + given_.max_time, "use a longer time"});
  }
  if (!target_->reached()) return Fail(NotStarted(PluginCommand()[0]));
  const std::string cut = plays < tries ? " in " + wire::Counted(plays, "play") : "";
  ReportError({"the whole trace does not show " + Sought() + cut, given_.trace, WhatItShows()});
  return kDifference;
}

// One key of each cause, in all plays of the whole trace.
void Reduction::NoteKeys() {
  for (const fuzz::Finding& finding : first_) {
    const std::string cause = fuzz::CauseOf(finding.key);
    const auto is_known = [&](const std::string& key) { return fuzz::CauseOf(key) == cause; };
    if (std::none_of(seen_.begin(), seen_.end(), is_known)) seen_.push_back(finding.key);
  }
}

// The behaviour to keep, for people.
std::string Reduction::Sought() const {
  if (given_.keep.empty()) return "the finding " + record_->key;
  return given_.keep == "crash" ? "a crash" : "the behaviour of --keep";
}

// What the last play of the whole trace shows, and so could be kept.
std::string Reduction::WhatItShows() const {
  if (given_.keep.empty() && seen_.empty()) return "it may be fixed; midwire replay plays it too";
  if (!seen_.empty()) {
    std::string text = "it shows: " + seen_[0];
    for (size_t i = 1; i < seen_.size(); ++i) text += ", " + seen_[i];
    if (given_.keep != "finding=" + seen_[0]) {
      text += seen_.size() == 1 ? "; to keep that: " : "; to keep one: ";
      text += "--keep 'finding=" + seen_[0] + "'";
    }
    return text;
  }
  const std::string party = options_.host ? "host" : "plugin";
  const bool ended = whole_.exit.code > 0;
  return "no finding occurred" +
         (ended ? ", but " + fuzz::EndingText(whole_.exit) +
                      "; to keep that: --keep exit=" + std::to_string(whole_.exit.code)
                : "; record a session in which the " + party +
                      " fails, or name another behaviour: exit=N, finding=KEY, a shell command");
}

// A copy of the trace is no result.
Reduction::Ends Reduction::PlayedNothing(bool nothing) const {
  const bool may_be_nothing = given_.quiet || io::Interrupted() != 0 || keep_.failure->error;
  if (!nothing || may_be_nothing) return std::nullopt;
  return Fail({"the time ran out before a smaller session was played: nothing is written",
               "--max-time " + given_.max_time, "use a longer time"});
}

// Without what follows the message at fault. A session that hangs at its end takes the whole
// timeout in each play until that end is gone. One play is made even if the time is just over: it
// is mostly short, and leads to a result.
Reduction::Ends Reduction::CutTail() {
  const size_t kept = finding_.part + 1;
  const bool placed = fuzz::FindKey(first_, finding_.key, /*probes=*/false) != nullptr;
  // What a host was sent at a fault is not known.
  const bool is_last = kept >= loaded_.life.input.parts.size();
  if (!placed || options_.host || finding_.at_eof || is_last) return std::nullopt;
  fuzz::Case shorter = loaded_.life;
  shorter.input.parts.resize(kept);
  fuzz::Transcript transcript;
  for (int i = 0; i < tries_ && !stop() && !(i > 0 && over()); ++i) {
    const auto findings = target_->Play(shorter, kReductionPatience, &transcript);
    if (!findings) return Fail(findings.error());
    fuzz::Finding found;
    const bool shown = shows_(*findings, transcript, &found);
    tail_plays_ += !stop();
    if (!shown) continue;
    start_ = std::move(shorter);
    whole_ = std::move(transcript);
    finding_ = std::move(found);
    break;
  }
  return std::nullopt;
}

Reduction::Ends Reduction::MakeSmaller() {
  if (const Ends code = CutTail()) return code;
  if (const Ends code = PlayedNothing(tail_plays_ == 0 && over())) return code;
  auto reduced = fuzz::ReduceCase(
      target_.get(), start_ ? *start_ : loaded_.life, shows_, tries_ == 1 ? 1 : fuzz::kFirstTries,
      {.max_time_ns = end_ns_ - io::MonotonicNow(), .max_tests = kMaxPlays, .stop = target_->stop});
  if (!reduced) return Fail(reduced.error());
  reduced_ = std::move(*reduced);
  reduced_.tests += tail_plays_;
  return PlayedNothing(reduced_.tests == 0 && !reduced_.finished);
}

// Plays the result again until it shows the behaviour once more.
Reduction::Ends Reduction::PlayAgain() {
  int& tries = reduced_.tries;
  while (reduced_.hits == 0 && tries > 0 && tries < kManyTries && !over()) {
    fuzz::Transcript transcript;
    fuzz::Finding seen;
    const auto findings = target_->Play(reduced_.life, kReductionPatience, &transcript);
    if (!findings) return Fail(findings.error());
    const bool shown = shows_(*findings, transcript, &seen);
    if (!shown && stop()) break;
    ++tries;
    if (!shown) continue;
    reduced_.hits = 1;
    reduced_.finding = std::move(seen);
    reduced_.transcript = std::move(transcript);
  }
  if (reduced_.hits == 0 && tries > 0 && io::Interrupted() == 0 && !keep_.failure->error) {
    if (given_.quiet) return kDifference;
    ReportError({"the smaller session showed the behaviour once, but not again in " +
                     wire::Counted(static_cast<uint64_t>(tries), "play") + ": nothing is written",
                 given_.trace, "the behaviour is flaky"});
    return kDifference;
  }
  if (reduced_.finding.key.empty()) {
    // Stopped before a smaller session showed the behaviour.
    reduced_.transcript = std::move(whole_);
    reduced_.finding = std::move(finding_);
  }
  return std::nullopt;
}

// Warns if the result is not fully reduced, or is empty.
void Reduction::WarnOfLittle() const {
  const std::string so_far = smaller() ? "the result is the smallest session so far"
                                       : "the result is the whole trace, not reduced";
  if (io::Interrupted() != 0) {
    ReportNote("stopped: " + so_far);
  } else if (!reduced_.finished && !keep_.failure->error) {
    const std::string why = over() ? "--max-time " + given_.max_time + " is over"
                                   : std::to_string(kMaxPlays) + " plays were made";
    ReportWarning(why + ": " + so_far + "; a longer run may reduce it further");
  }
  if (sent_.messages != 0 || loaded_.life.input.parts.empty()) return;
  ReportWarning(std::string("the result is an empty session: ") +
                (reduced_.finding.key.starts_with(kKeptBy)
                     ? "the command of --keep exits with 0 even if no message was sent"
                 : options_.host ? "the host shows the behaviour even if its plugin sends nothing"
                                 : "the plugin shows the behaviour even if no message is sent"));
}

// How reliable the result is; "" if it is reproducible and fully reduced.
std::string Reduction::HowSure() const {
  std::string text;
  if (reduced_.tries > 0 && reduced_.hits < reduced_.tries) {
    text = "flaky, " + std::to_string(reduced_.hits) + " of " + std::to_string(reduced_.tries);
  } else if (reduced_.tries == 0) {
    text = "not played again";
  }
  if (!reduced_.finished) {
    text += text.empty() ? "" : ", ";
    text += smaller() ? "not finished" : "not reduced";
  }
  return text.empty() ? "" : " (" + text + ")";
}

int Reduction::Write() {
  sent_ = fuzz::SizeOf(reduced_.transcript, target_->ours(), loaded_.seeds->seeds.framing);
  if (!given_.quiet) WarnOfLittle();
  fuzz::FindingRecord kept = fuzz::RecordOf(reduced_, {.options = &options_,
                                                       .seeds = &loaded_.seeds->seeds,
                                                       .target = target_.get(),
                                                       .dialect = loaded_.seeds->dialect_name});
  if (record_) {
    kept.seed = record_->seed;
    kept.exempt = record_->exempt;
    kept.like = record_->like;
    kept.like_count = record_->like_count;
  }
  // A behaviour named by a command or a status is not a finding that replay could look for.
  const bool found = fuzz::FindKey(first_, kept.key) != nullptr;
  const int written = WriteResult(
      path_, fuzz::WriteFinding(found ? &kept : nullptr, reduced_.transcript, PluginCommand()));
  if (written != kFine || given_.quiet) return written;
  const fuzz::Input& before = loaded_.life.input;
  Output output;
  output.Write(wire::Counted(before.parts.size(), "message") + ", " +
               wire::Counted(before.size(), "byte") + " reduced to " +
               std::to_string(sent_.messages) + ", " + std::to_string(sent_.bytes) + " in " +
               wire::Counted(reduced_.tests, "play") + HowSure() + ": " + wire::Escaped(path_) +
               "\n");
  const int printed = output.Finish();
  if (!keep_.failure->error) return printed;
  return Fail(*keep_.failure->error, keep_.failure->code);
}

void ReduceFurther(
    const std::vector<std::string>& cassettes, int64_t time_ns,
    const std::function<Status()>& before,
    const std::function<void(const std::string& cassette, const Reduction& reduced)>& tell) {
  const int64_t end = io::MonotonicNow() + time_ns;
  for (size_t i = 0; i < cassettes.size() && io::Interrupted() == 0; ++i) {
    const int64_t left = end - io::MonotonicNow();
    if (left <= 0) break;
    const int64_t share =
        std::clamp(left / static_cast<int64_t>(cassettes.size() - i), kLeastShare, time_ns);
    const std::string& cassette = cassettes[i];
    const std::string smaller = cassette + ".smaller";  // a name that no command takes for a trace
    unlink(smaller.c_str());                            // of a process that was killed
    Reduction reduction({.trace = cassette,
                         .output = smaller,
                         .max_time = std::to_string(share / 1'000'000) + "ms",
                         .before = before,
                         .quiet = true});
    if (reduction.Run() != kFine) continue;
    if (reduction.reduced().hits == 0) {  // stopped by a signal: the other one is confirmed
      unlink(smaller.c_str());
      continue;
    }
    if (std::rename(smaller.c_str(), cassette.c_str()) == 0) tell(cassette, reduction);
  }
}

}  // namespace midwire::tools
