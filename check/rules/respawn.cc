// Rule type "respawn": a plugin that fails is restarted with growing delays, and finally not at
// all.
//   {"type":"respawn","failures":3,"window_ms":60000,"closed_by":["plugin/shutdown"],
//    "delays_ms":[1000,4000,16000],"early":"should"}
// Compares the sessions of one trace, per command line. A session failed when its plugin exited by
// a signal or with a status other than 0. It did not if the host ended it: by one of "closed_by",
// or by a signal that was passed on. After "failures" failures within "window_ms" no session may
// begin (severity of the rule) until one succeeds, as after a reload of the plugin. "delays_ms"
// (optional): the time to wait after the first, second, ... failure in a row; the severity of an
// earlier start is "early" (default: "should"). Nothing is reported for a trace without times.
#include <algorithm>
#include <deque>

#include "check/rules/types.h"

namespace midwire::check {
namespace {

// Higher than any protocol needs; limits what is kept per plugin.
constexpr int64_t kMaxFailures = 1000;
// Command lines in one trace. Real ones have one.
constexpr size_t kMaxCommands = 1024;
// The host may see the plugin die a little before the relay does.
constexpr int64_t kExitSlackMs = 100;
constexpr int64_t kNsPerMs = 1'000'000;

class RespawnRule : public CheckRule {
 public:
  RespawnRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        early_(*rule),
        failures_(in->Integer("failures")),
        window_ms_(in->Integer("window_ms")),
        delays_ms_(in->Integers("delays_ms")),
        closed_by_(in->Texts("closed_by")) {
    if (failures_ < 1 || failures_ > kMaxFailures) {
      in->Expect("failures", "a number from 1 to " + std::to_string(kMaxFailures));
    }
    early_.severity = in->Severity("early", wire::Severity::kShould);
    if (rule->severity == wire::Severity::kOff) early_.severity = wire::Severity::kOff;
  }

  void OnMessage(const Observed& seen, CheckReport*) override {
    if (IsCall(seen) && IsOf(closed_by_, seen)) closed_ = true;
  }

  void OnEvent(int64_t time_ns, const Event& event, CheckReport* report) override {
    if (const auto* spawn = std::get_if<trace::SpawnEvent>(&event)) {
      closed_ = exited_ = false;
      if (spawn->part == 1) OnSpawn(time_ns, *spawn, report);
    } else if (std::holds_alternative<trace::SignalEvent>(event)) {
      closed_ = true;
    } else if (const auto* exit = std::get_if<ExitStatus>(&event)) {
      if (history_ != nullptr && !exited_) OnExit(time_ns, *exit);
      exited_ = true;
    }
  }

  void OnSessionEnd(bool, CheckReport*) override {
    closed_ = exited_ = false;
    history_ = nullptr;
  }

 private:
  struct History {
    std::deque<int64_t> failed_ns;  // the latest `failures_`
    size_t in_a_row = 0;
    bool quarantined = false;
  };

  void OnSpawn(int64_t time_ns, const trace::SpawnEvent& spawn, CheckReport* report) {
    size_t command = 0;
    for (const std::string& arg : spawn.argv) {
      command = command * 31 + std::hash<std::string>()(arg);
    }
    auto at = histories_.find(command);
    if (at == histories_.end()) {
      if (histories_.size() >= kMaxCommands) return;
      at = histories_.emplace(command, History()).first;
    }
    history_ = &at->second;
    if (time_ns <= 0 || history_->failed_ns.empty()) return;
    const auto since_ms = [&](int64_t failed_ns) { return (time_ns - failed_ns) / kNsPerMs; };
    Violation violation;
    violation.direction = wire::Direction::kHostToPlugin;
    const auto& failed_ns = history_->failed_ns;
    if (history_->quarantined) {
      violation.expected = "no session after " + std::to_string(failures_) + " failures in " +
                           std::to_string(window_ms_) + " ms";
      violation.got = "one that began " + std::to_string(since_ms(failed_ns.back())) +
                      " ms after the last of them";
      return report->Add(std::move(violation), *rule_);
    }
    if (delays_ms_.empty() || history_->in_a_row == 0) return;
    const int64_t delay_ms = delays_ms_[std::min(history_->in_a_row, delays_ms_.size()) - 1];
    const int64_t waited_ms = since_ms(failed_ns.back());
    if (waited_ms + kExitSlackMs >= delay_ms) return;
    violation.expected = std::to_string(delay_ms) + " ms after failure " +
                         std::to_string(history_->in_a_row) + " in a row";
    violation.got = std::to_string(waited_ms) + " ms";
    report->Add(std::move(violation), early_);
  }

  void OnExit(int64_t time_ns, const ExitStatus& exit) {
    if (closed_ || (exit.signal == 0 && exit.code == 0)) {
      history_->in_a_row = 0;
      if (std::exchange(history_->quarantined, false)) history_->failed_ns.clear();
      return;
    }
    if (time_ns <= 0) return;
    ++history_->in_a_row;
    history_->failed_ns.push_back(time_ns);
    if (history_->failed_ns.size() > static_cast<size_t>(failures_)) {
      history_->failed_ns.pop_front();
    }
    const std::deque<int64_t>& failed_ns = history_->failed_ns;
    if (failed_ns.size() == static_cast<size_t>(failures_) &&
        (failed_ns.back() - failed_ns.front()) / kNsPerMs <= window_ms_) {
      history_->quarantined = true;
    }
  }

  const wire::RuleSpec* rule_;
  wire::RuleSpec early_;  // the rule with the severity of a respawn that is too early
  int64_t failures_, window_ms_;
  std::vector<int64_t> delays_ms_;
  std::vector<std::string> closed_by_;
  bool closed_ = false, exited_ = false;  // this session was closed by its host, is over
  History* history_ = nullptr;            // of this session's command; null: not kept
  std::map<size_t, History> histories_;
};

}  // namespace

MadeRule MakeRespawnRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<RespawnRule>(&rule, in);
}

}  // namespace midwire::check
