// How a session opens, closes and ends: the first and the last method, the messages between them,
// the time to the exit, its status. A session without its first message is reported once: what
// comes too early then follows from it.
#include <algorithm>

#include "check/generic/generic.h"

namespace midwire::check {
namespace {

using wire::Direction;
using wire::Kind;
using wire::Severity;

class LifecycleRule : public CheckRule {
 public:
  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (seen.kind() == Kind::kRequest || seen.kind() == Kind::kNotification) {
      seen.direction() == Direction::kHostToPlugin ? OnHost(seen, report) : OnPlugin(seen, report);
    } else if (seen.message->IsAnswer() && seen.direction() == Direction::kPluginToHost) {
      if (IsIn(report->dialect()->first, seen.method) && start_ != Start::kDone) {
        start_ = seen.kind() == Kind::kError ? Start::kRefused : Start::kDone;
      }
      if (IsIn(report->dialect()->last, seen.method)) last_ns_ = seen.recorded->time_ns;
    }
  }

  void OnEvent(int64_t time_ns, const Event& event, CheckReport* report) override {
    const auto* exit = std::get_if<ExitStatus>(&event);
    if (exit == nullptr) return;
    exited_ = true;
    if (!last_sent_) return;  // not closed by its last message: any end is allowed
    if (report->dialect()->exit_code &&
        (exit->signal != 0 || exit->code != *report->dialect()->exit_code)) {
      Violation violation = {.rule = "lifecycle.exit",
                             .clause = report->dialect()->lifecycle_clause};
      violation.expected = "exit " + std::to_string(*report->dialect()->exit_code);
      violation.got = trace::Describe(*exit);
      violation.text = "the plugin ended with another status after " + last_method_;
      report->Add(std::move(violation));
    }
    if (report->dialect()->grace_ms == 0 || last_ns_ == 0 || time_ns == 0) return;
    const int64_t took_ms = (time_ns - last_ns_) / 1'000'000;
    if (took_ms <= report->dialect()->grace_ms) return;
    Violation violation = {.rule = "lifecycle.grace",
                           .clause = report->dialect()->lifecycle_clause};
    violation.expected = "at most " + std::to_string(report->dialect()->grace_ms) + " ms";
    violation.got = std::to_string(took_ms) + " ms";
    violation.text = "the plugin took too long to end after " + last_method_;
    report->Add(std::move(violation), Severity::kShould);
  }

  void OnGap() override {
    opened_ = true;
    start_ = Start::kDone;
  }

  void OnSessionEnd(bool whole, CheckReport* report) override {
    if (whole && opened_ && !last_sent_ && !report->dialect()->last.empty()) {
      Violation violation = {.rule = "lifecycle.closed",
                             .clause = report->dialect()->lifecycle_clause};
      violation.direction = Direction::kHostToPlugin;
      violation.expected = report->dialect()->last.front();
      violation.text = "the session ended without " + report->dialect()->last.front();
      report->Add(std::move(violation), Severity::kNote);
    }
    opened_ = last_sent_ = exited_ = false;
    start_ = Start::kNone;
    last_method_.clear();
    last_ns_ = 0;
  }

 private:
  // What became of the first message.
  enum class Start : uint8_t { kNone, kAsked, kRefused, kDone };

  static bool IsIn(const std::vector<std::string>& methods, std::string_view method) {
    return std::find(methods.begin(), methods.end(), method) != methods.end();
  }

  void OnHost(const Observed& seen, CheckReport* report) {
    const auto add = [&](const char* rule, const std::string& expected, const std::string& text,
                         Severity otherwise) {
      Violation violation = CheckReport::Of(rule, seen);
      violation.clause = report->dialect()->lifecycle_clause;
      violation.pointer = seen.method_pointer();
      violation.expected = expected;
      violation.got = seen.method;
      violation.text = text;
      report->BreakOrder(report->SeverityOf(rule, otherwise));
      report->Add(std::move(violation), otherwise);
    };
    const bool first = IsIn(report->dialect()->first, seen.method);
    if (first) report->SetUnopened(false);
    if (!report->dialect()->first.empty() && !opened_ && !first) {
      add("lifecycle.first", report->dialect()->first.front(),
          "the host begins with another message than " + report->dialect()->first.front(),
          Severity::kMust);
      report->SetUnopened(report->SeverityOf("lifecycle.first", Severity::kMust) != Severity::kOff);
      if (report->of_log()) OnGap();  // the log begins later than the session
    } else if (!report->dialect()->first.empty() && !first && start_ != Start::kDone &&
               !(report->unordered() && start_ != Start::kNone) && !report->unopened() &&
               seen.kind() == Kind::kRequest &&
               // A host may close what could not be opened.
               !(start_ == Start::kRefused && IsIn(report->dialect()->last, seen.method))) {
      const std::string& opening = report->dialect()->first.front();
      add("lifecycle.ready", "",
          std::string(seen.method) + (start_ == Start::kNone ? " was sent before " + opening
                                      : start_ == Start::kRefused
                                          ? " was sent although " + opening + " was refused"
                                          : " was sent before the answer to " + opening),
          report->dialect()->before_ready);
      // The host goes on without: what follows has the same cause.
      if (start_ == Start::kRefused) start_ = Start::kDone;
    }
    opened_ = true;
    if (first && start_ != Start::kDone) start_ = Start::kAsked;
    if (last_sent_ && !IsIn(report->dialect()->last, seen.method)) {
      add("lifecycle.last", "", std::string(seen.method) + " was sent after " + last_method_,
          Severity::kMust);
    }
    if (!IsIn(report->dialect()->last, seen.method)) return;
    last_sent_ = true;
    last_method_ = seen.method;
    last_ns_ = seen.recorded->time_ns;
  }

  void OnPlugin(const Observed& seen, CheckReport* report) {
    if (report->dialect()->first.empty() || seen.kind() != Kind::kRequest) return;
    if (report->unopened() || report->unordered()) return;
    if (start_ != Start::kNone && start_ != Start::kAsked) return;
    Violation violation = CheckReport::Of("lifecycle.early-call", seen);
    violation.clause = report->dialect()->lifecycle_clause;
    violation.text = "the plugin sent " + std::string(seen.method) + " before it answered " +
                     report->dialect()->first.front();
    report->Add(std::move(violation), Severity::kNote);
  }

  bool opened_ = false, last_sent_ = false, exited_ = false;
  Start start_ = Start::kNone;
  std::string last_method_;
  int64_t last_ns_ = 0;  // time of the last message or answer
};

}  // namespace

std::unique_ptr<CheckRule> MakeLifecycleRule() { return std::make_unique<LifecycleRule>(); }

}  // namespace midwire::check
