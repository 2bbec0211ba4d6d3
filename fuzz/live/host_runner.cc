#include "fuzz/live/host_runner.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "fuzz/live/investigate.h"
#include "fuzz/oracle/ending.h"

namespace midwire::fuzz {
namespace {

// Defaults and bounds of the time that a host gets for all its messages, and again to exit after
// its plugin has exited.
constexpr int64_t kFirstHostTimeout = 10'000'000'000, kMinHostTimeout = 500'000'000,
                  kMaxHostTimeout = 10'000'000'000;
// The least time to start a plugin, even if --timeout is shorter.
constexpr int64_t kMinStart = 1'000'000'000;
// A host that is silent for this long and sleeps waits for its plugin: the rest of the input is
// sent. The longer time applies first; later four times what the host took with its recorded
// plugin.
constexpr int64_t kMinIdle = 30'000'000, kFirstIdle = 200'000'000;
// After this many times as long, its plugin exits.
constexpr int kIdleToEnd = 3;
// Processor time that a sleeping process does not use.
constexpr int64_t kUsedProcessor = 2'000'000;
constexpr int64_t kExitLook = 5'000'000;      // for the host's exit after it has closed its pipe
constexpr int64_t kMeasureEvery = 5'000'000;  // between two measurements of memory
// Replaced by the stand-in's path in the host's arguments.
constexpr std::string_view kPlaceholder = "{plugin}";
// Written to a cassette: the host exits by itself, followed by its usual status.
constexpr std::string_view kEnds = "ends ";

std::vector<std::string> Filled(std::vector<std::string> argv, const std::string& program) {
  for (std::string& word : argv) {
    for (size_t at = 0; (at = word.find(kPlaceholder, at)) != std::string::npos;) {
      word.replace(at, kPlaceholder.size(), program);
      at += program.size();
    }
  }
  return argv;
}

// The stand-in must exist before the host's command line can be made.
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
      oracle_(seeds, features, options.oracle, [this](Finding f) { Report(std::move(f)); }),
      timeout_ns_(options.timeout_ns != 0 ? options.timeout_ns : kFirstHostTimeout),
      idle_ns_(kFirstIdle) {
  oracle_.set_reactive();
  oracle_.set_listener([this](wire::Direction direction, const std::string&,
                              std::string_view bytes) { Note(direction, bytes); });
}

void HostRunner::Report(Finding finding) {
  if (!options_.oracle.oracles[static_cast<size_t>(finding.oracle)]) return;
  if (findings_.size() >= kMaxFindings || HasKey(findings_, finding.key)) return;
  findings_.push_back(std::move(finding));
}

Status HostRunner::Prepare() {
  if (prepared_) return Ok{};
  const bool by_name = !options_.plugin_name.empty();
  const Status opened = listener_.Open(by_name ? options_.plugin_name : "plugin");
  if (!opened) return opened;
  if (by_name && listener_.folder().find(':') != std::string::npos) {
    return Error{"no folder on PATH can have a colon", listener_.folder(),
                 "set TMPDIR to another folder"};
  }
  prepared_ = true;
  return host_.Set(
      Filled(options_.argv, listener_.program()),
      by_name ? WithPath(options_.environment, listener_.folder()) : options_.environment);
}

// Whether it was not sleeping since the last call: it may be slow, or wait for a processor.
bool HostRunner::UsedProcessor() {
  const int64_t used = host_.ProcessorTime();
  return used - std::exchange(processor_time_, used) > kUsedProcessor || host_.Runs();
}

void HostRunner::Converse() {
  const int64_t begin = io::MonotonicNow();
  const int64_t timeout = timeout_ns_ * patience_, idle = idle_ns_ * patience_;
  int64_t quiet_since = begin;
  while (!host_.Reap(0, &exit_, &out_, &err_)) {
    const int64_t now = io::MonotonicNow();
    if (stop && stop()) return;
    if (now - measured_ > kMeasureEvery) {
      measured_ = now;
      orphans_.Reap(host_.pid());
      if (Grown(host_.MemoryUse().resident)) return;
    }
    quiet_since = std::max(quiet_since, active_);
    const int64_t quiet = now - quiet_since;
    if (!linked_) {
      if (now - begin > std::max(kMinStart, timeout)) return;
    } else if (disconnected_ != 0) {
      // Its plugin has exited; a host that keeps running may be waiting for its user.
      if (now - disconnected_ > (ends_ ? timeout : kIdleToEnd * idle)) return JudgeStillThere();
    } else if (now - first_link_ > timeout) {
      Disconnect();  // it sends requests without end
    } else if (link_.from_host < 0 && !rested_) {
      // The plugin sends its last messages and exits.
      if (now - active_ > kExitLook && !host_.Runs()) SendRest(/*all=*/true);
    } else if (link_.from_host < 0 && unsent_.empty()) {
      Disconnect();
    } else if (quiet > idle && UsedProcessor()) {
      quiet_since = now;
    } else if (quiet > idle && !rested_) {
      SendRest(/*all=*/false);
    } else if (quiet > kIdleToEnd * idle) {
      Disconnect();
    }
    Wait(link_.from_host < 0 && linked_ ? kExitLook : std::min(idle, kMinIdle));
  }
  JudgeEnd(exit_);
}

// Also closes connections of further stand-ins of this host process.
void HostRunner::EndLife() {
  host_.Kill();
  link_.Close();
  orphans_.Kill();
  if (listener_.descriptor() < 0) return;
  for (Link old = listener_.Accept(); old.hold >= 0; old = listener_.Accept()) old.Close();
}

Result<std::vector<Finding>> HostRunner::Play(const Case& life, int patience,
                                              Transcript* transcript) {
  const Status prepared = Prepare();
  if (!prepared) return prepared.error();
  life_ = &life;
  patience_ = patience;
  transcript_ = transcript;
  noted_ = 0;
  findings_.clear();
  linked_ = rested_ = false;
  first_link_ = disconnected_ = active_ = longest_ = processor_time_ = measured_ = 0;
  exit_ = {};
  unsent_.clear();
  sent_ = 0;
  err_.clear();
  peak_ = 0;
  oracle_.OnPeer();
  oracle_.OnRun(&life.input);
  orphans_.Watch();
  if (options_.before) {
    if (const Status before = options_.before(); !before) return before.error();
  }
  const Status started = host_.Start();
  if (!started) return started.error();
  host_.CloseStdin();
  ++starts_;
  Converse();
  if (transcript != nullptr) transcript->err = err_;
  transcript_ = nullptr;
  EndLife();
  return std::move(findings_);
}

Result<std::vector<Finding>> HostRunner::Run(Input input, Pace pace) {
  latest_ = std::move(input);
  latest_pace_ = pace;
  return Play(Recent(1), 1, nullptr);
}

Case HostRunner::Recent(size_t) const {
  Case life = {.input = seeds_->opening, .pace = latest_pace_};
  life.input.parts.insert(life.input.parts.end(), latest_.parts.begin(), latest_.parts.end());
  return life;
}

Status HostRunner::Calibrate() {
  if (!seeds_->inputs.empty()) latest_ = seeds_->inputs[0];
  latest_.parts.insert(latest_.parts.end(), seeds_->closing.parts.begin(),
                       seeds_->closing.parts.end());
  ends_ = true;
  const int64_t begin = io::MonotonicNow();
  const auto findings = Play(Recent(1), 1, nullptr);
  if (!findings) return findings.error();
  if (stop && stop()) return Ok{};
  const bool ended = exit_.ended();
  const std::string how = ended ? EndingText(exit_) : "it is still running";
  if (!linked_) {
    const char* hint =
        options_.plugin_name.empty()
            ? "write {plugin} where its command names the plugin, or add --plugin-name"
            : "the host must look for --plugin-name on PATH";
    return Error{"the host does not start its plugin",
                 options_.argv[0] + ": " + how + "; " + StderrText(err_), hint};
  }
  for (const Finding& finding : *findings) {
    if (finding.oracle == Oracle::kSignal || finding.oracle == Oracle::kPanic ||
        finding.oracle == Oracle::kSanitizer) {
      return Error{"the host fails already with its recorded plugin", finding.text,
                   "fix that first: no input was mutated yet"};
    }
  }
  if (ended && exit_.code != 0 && !err_.empty()) complaint_ = ": " + err_.substr(0, 200);
  ends_ = ended;
  usual_code_ = ended ? exit_.code : 0;
  baseline_ = std::max<uint64_t>(peak_, 1);
  idle_ns_ = std::clamp(4 * longest_, kMinIdle, kFirstIdle);
  // Without the time spent waiting for more messages.
  const int64_t now = io::MonotonicNow();
  const int64_t took = active_ - begin + (disconnected_ != 0 && ended ? now - disconnected_ : 0);
  if (options_.timeout_ns == 0)
    timeout_ns_ = std::clamp(5 * took, kMinHostTimeout, kMaxHostTimeout);
  return Ok{};
}

void HostRunner::UseRecord(const FindingRecord& record) {
  ends_ = record.probe.starts_with(kEnds);
  usual_code_ = ends_ ? std::atoi(record.probe.c_str() + kEnds.size()) : 0;
  timeout_ns_ = std::clamp<int64_t>(record.timeout_ms, 1, kMaxHostTimeout / 1'000'000) * 1'000'000;
  idle_ns_ = kMinIdle;
  baseline_ = 1;
}

void HostRunner::Describe(FindingRecord* record) const {
  record->of_host = true;
  record->plugin_name = options_.plugin_name;
  record->probe = ends_ ? std::string(kEnds) + std::to_string(usual_code_) : "";
  record->timeout_ms = timeout_ns_ / 1'000'000;
}

std::string HostRunner::AliveText() const {
  if (!ends_) return "keeps running";
  return "exits as with its recorded plugin (" + EndingText({.code = usual_code_}) + complaint_ +
         ")";
}

std::unique_ptr<Target> MakeTarget(const RunnerOptions& options, Seeds* seeds, Features* features) {
  if (options.host) return std::make_unique<HostRunner>(options, seeds, features);
  return std::make_unique<Runner>(options, seeds, features);
}

}  // namespace midwire::fuzz
