#include "fuzz/live/host_runner.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>

#include "fuzz/ending.h"
#include "fuzz/random.h"

namespace midwire::fuzz {
namespace {

constexpr int64_t kFirstTimeout = 10'000'000'000, kMinTimeout = 500'000'000,
                  kMaxTimeout = 10'000'000'000;
// A host that is silent for so long waits for its plugin: what is left of the input is said.
constexpr int64_t kIdle = 30'000'000;
constexpr int64_t kEndTimeout = 1'000'000'000;
// Bytes that a host does not read; then nothing more is said to it.
constexpr size_t kMaxUnsent = 4u << 20;
constexpr size_t kRead = 64 * 1024;
// A host with this in one of its arguments gets the stand-in's path there.
constexpr std::string_view kPlaceholder = "{plugin}";

std::vector<std::string> Filled(std::vector<std::string> argv, const std::string& program) {
  for (std::string& word : argv) {
    for (size_t at = 0; (at = word.find(kPlaceholder, at)) != std::string::npos;) {
      word.replace(at, kPlaceholder.size(), program);
      at += program.size();
    }
  }
  return argv;
}

// The stand-in has to be there before the host's command line can be made.
std::vector<std::string> WithPath(std::vector<std::string> environment, const std::string& folder) {
  const char* path = getenv("PATH");
  environment.push_back("PATH=" + folder + ":" + (path != nullptr ? path : "/usr/bin:/bin"));
  return environment;
}

}  // namespace

HostRunner::HostRunner(const RunnerOptions& options, Seeds* seeds, Features* features)
    : options_(options),
      seeds_(seeds),
      features_(features),
      host_({}),
      prober_(seeds, features, options.prober, [this](Finding f) { Tell(std::move(f)); }),
      timeout_ns_(options.timeout_ns != 0 ? options.timeout_ns : kFirstTimeout) {
  prober_.set_reactive();
  prober_.set_listener(
      [this](wire::Direction direction, const std::string&, std::string_view bytes) {
        if (transcript_ != nullptr) transcript_->said.push_back({direction, std::string(bytes)});
      });
}

void HostRunner::Tell(Finding finding) {
  if (!options_.prober.oracles[static_cast<size_t>(finding.oracle)]) return;
  findings_.push_back(std::move(finding));
}

Status HostRunner::Prepare() {
  if (prepared_) return Ok{};
  const bool by_name = !options_.plugin_name.empty();
  const Status opened = listener_.Open(by_name ? options_.plugin_name : "plugin");
  if (!opened) return opened;
  prepared_ = true;
  return host_.Set(
      Filled(options_.argv, listener_.program()),
      by_name ? WithPath(options_.environment, listener_.folder()) : options_.environment);
}

// ---- one life

HostRunner::Wake HostRunner::Wait(int64_t timeout_ns) {
  const auto [out, err] = host_.descriptors();
  pollfd fds[] = {{listener_.descriptor(), POLLIN, 0},
                  {link_.from_host, POLLIN, 0},
                  {unsent_.empty() ? -1 : link_.to_host, POLLOUT, 0},
                  {out, POLLIN, 0},
                  {err, POLLIN, 0}};
  const timespec timeout = {timeout_ns / 1'000'000'000, timeout_ns % 1'000'000'000};
  if (ppoll(fds, 5, &timeout, nullptr) <= 0) return Wake::kNothing;
  if (fds[0].revents != 0) {
    // A host may start its plugin again; the new one is heard then.
    Link link = listener_.Accept();
    if (link.from_host >= 0) {
      link_.Close();
      link_ = link;
      linked_ = true;
      unsent_.clear();
      return Wake::kLink;
    }
  }
  if (fds[2].revents != 0) Write("");
  if (fds[3].revents != 0 || fds[4].revents != 0) {
    out_.clear();
    host_.Wait(0, false, &out_, &err_);
    if (err_.size() > kMaxStderr) err_.resize(kMaxStderr);
  }
  if (fds[1].revents != 0) {
    ReadLink();
    return Wake::kLink;
  }
  return Wake::kHost;
}

void HostRunner::Write(std::string_view bytes) {
  if (unsent_.size() + bytes.size() <= kMaxUnsent) unsent_ += bytes;
  Random random(unsent_.size());
  while (!unsent_.empty() && link_.to_host >= 0) {
    const size_t piece =
        split_ ? 1 + random.Below(std::min<size_t>(unsent_.size(), 64)) : unsent_.size();
    const ssize_t written = write(link_.to_host, unsent_.data(), piece);
    if (written < 0) {
      if (errno == EAGAIN || errno == EINTR) return;
      unsent_.clear();
      return;
    }
    unsent_.erase(0, static_cast<size_t>(written));
  }
}

void HostRunner::ReadLink() {
  char buffer[kRead];
  const ssize_t count = read(link_.from_host, buffer, sizeof buffer);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    // The host has closed its plugin's stdin: a plugin ends then.
    link_.Close();
    return;
  }
  std::string reply;
  prober_.OnBytes({buffer, static_cast<size_t>(count)}, &reply);
  if (reply.empty()) return;
  ++messages_;
  if (transcript_ != nullptr) transcript_->said.push_back({seeds_->ours, reply});
  Write(reply);
}

// What nobody has asked for.
void HostRunner::SayRest() {
  const std::string rest = prober_.Rest();
  if (rest.empty()) return;
  if (transcript_ != nullptr) transcript_->said.push_back({seeds_->ours, rest});
  ++messages_;
  Write(rest);
}

void HostRunner::Converse(int64_t timeout_ns, bool split) {
  split_ = split;
  const int64_t begin = MonotonicNow(), end = begin + timeout_ns;
  int64_t heard = begin;
  bool rested = false, closed = false;
  Peer::Ending ending;
  while (true) {
    if (host_.Reap(0, &ending, &out_, &err_)) return JudgeEnd(ending);
    const int64_t now = MonotonicNow();
    if (now >= end || (stop && stop())) break;
    const Wake wake = Wait(std::min<int64_t>(end - now, kIdle));
    if (wake == Wake::kLink) heard = MonotonicNow();
    if (wake != Wake::kNothing || !linked_) continue;
    peak_ = std::max(peak_, host_.MemoryUse().resident);
    if (!rested) {
      SayRest();
      rested = true;
    } else if (!closed && MonotonicNow() - heard > 4 * kIdle) {
      // The plugin ends; a host that lives on may be waiting for its user.
      link_.Close();
      closed = true;
      if (!ends_) break;
    }
  }
  JudgeStillThere(begin);
}

void HostRunner::JudgeEnd(const Peer::Ending& ending) {
  prober_.OnPeerEnd();
  if (transcript_ != nullptr) {
    transcript_->code = ending.code;
    transcript_->signal = ending.signal;
    transcript_->ended = true;
  }
  // A host that gives up a plugin that talks nonsense is right, whatever its status.
  auto death = DeathOf(ending.code, ending.signal, err_, prober_.last_said());
  if (!death) return;
  death->text = "the host: " + death->text;
  Tell(std::move(*death));
}

void HostRunner::JudgeStillThere(int64_t begin) {
  if (stop && stop()) return;
  const Peer::Memory memory = host_.MemoryUse();
  peak_ = std::max(peak_, memory.resident);
  if (baseline_ != 0 && peak_ > baseline_ + options_.max_growth) {
    Tell({.oracle = Oracle::kMemory,
          .key = "memory resident",
          .text = "the host's memory has grown by " + std::to_string((peak_ - baseline_) >> 20) +
                  " MiB",
          .evidence = ""});
  }
  if (!ends_) return;
  const int64_t time = MonotonicNow() - begin, busy = host_.ProcessorTime();
  const bool hang = busy > time / 2;
  Tell({.oracle = hang ? Oracle::kHang : Oracle::kSilence,
        .key = std::string(hang ? "hang" : "silence") + " after " + prober_.last_said(),
        .text = "the host does not end, which it did with a plugin in order, after " +
                prober_.last_said() + (hang ? "; the processor is busy" : "; it sleeps"),
        .evidence = err_.substr(0, kMaxEvidence)});
}

Result<std::vector<Finding>> HostRunner::Play(const Case& life, int patience,
                                              Transcript* transcript) {
  const Status prepared = Prepare();
  if (!prepared) return prepared.error();
  findings_.clear();
  host_.Kill();
  link_.Close();
  // A stand-in of an earlier life may still be calling.
  for (Link old = listener_.Accept(); old.hold >= 0; old = listener_.Accept()) old.Close();
  linked_ = false;
  unsent_.clear();
  err_.clear();
  peak_ = 0;
  const Status started = host_.Start();
  if (!started) return started.error();
  host_.CloseStdin();
  ++starts_;
  transcript_ = transcript;
  prober_.OnPeer();
  prober_.OnRun(&life.input);
  Converse(timeout_ns_ * patience, life.pace == Pace::kSplit);
  if (transcript != nullptr) transcript->err = err_;
  transcript_ = nullptr;
  host_.Kill();
  link_.Close();
  return std::move(findings_);
}

Result<std::vector<Finding>> HostRunner::Run(Input input, Pace pace) {
  latest_ = input;
  latest_pace_ = pace;
  return Play(Recent(1), 1, nullptr);
}

Case HostRunner::Recent(size_t) const {
  Case life = {.input = seeds_->opening, .pace = latest_pace_};
  life.input.parts.insert(life.input.parts.end(), latest_.parts.begin(), latest_.parts.end());
  return life;
}

Status HostRunner::Calibrate() {
  const Status prepared = Prepare();
  if (!prepared) return prepared;
  if (!seeds_->inputs.empty()) latest_ = seeds_->inputs[0];
  latest_.parts.insert(latest_.parts.end(), seeds_->closing.parts.begin(),
                       seeds_->closing.parts.end());
  ends_ = true;
  const int64_t begin = MonotonicNow();
  const auto findings = Play(Recent(1), 1, nullptr);
  if (!findings) return findings.error();
  const int64_t took = MonotonicNow() - begin;
  if (!linked_) {
    return Error{"the host does not start its plugin", options_.argv[0],
                 err_.empty() ? "put {plugin} where its command line names one, or --plugin-name"
                              : "it wrote: " + err_.substr(0, 400)};
  }
  for (const Finding& finding : *findings) {
    if (finding.oracle == Oracle::kSilence || finding.oracle == Oracle::kHang) ends_ = false;
    if (finding.oracle == Oracle::kSignal || finding.oracle == Oracle::kPanic) {
      return Error{"the host fails with its recorded plugin already", finding.text, ""};
    }
  }
  baseline_ = std::max<uint64_t>(peak_, 1);
  if (options_.timeout_ns == 0) timeout_ns_ = std::clamp(5 * took, kMinTimeout, kMaxTimeout);
  findings_.clear();
  return Ok{};
}

void HostRunner::UseRecord(const FindingRecord& record) {
  ends_ = record.probe == "ends";
  timeout_ns_ = std::clamp(record.timeout_ms * 1'000'000, kMinTimeout, kMaxTimeout);
  baseline_ = 1;
}

void HostRunner::Describe(FindingRecord* record) const {
  record->of_host = true;
  record->probe = ends_ ? "ends" : "";
  record->timeout_ms = timeout_ns_ / 1'000'000;
}

std::string HostRunner::AliveText() const {
  return ends_ ? "ends, as with its recorded plugin" : "runs: it does not end by itself";
}

std::unique_ptr<Target> MakeTarget(const RunnerOptions& options, Seeds* seeds, Features* features) {
  if (options.host) return std::make_unique<HostRunner>(options, seeds, features);
  return std::make_unique<Runner>(options, seeds, features);
}

}  // namespace midwire::fuzz
