// Rule type "exit": the plugin's exit status depends on earlier messages.
//   {"type":"exit","after":["exit"],"with":["shutdown"],"code":0,"otherwise":1}
// A plugin that exits after one of "after" must exit with "code" if one of "with" came before it,
// or "with" is missing. Else it must exit with "otherwise" (missing: any status). Not checked
// if the host ended the plugin by a signal, or if relevant messages may be missing.
#include "check/rules/types.h"

namespace midwire::check {
namespace {

class ExitRule : public CheckRule {
 public:
  ExitRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        after_(in->Methods("after")),
        with_(in->Texts("with")),
        code_(in->Integer("code")),
        otherwise_(in->OptionalInteger("otherwise")) {}

  bool Reads(std::string_view method) const override {
    return wire::MatchesAny(after_, method) || wire::MatchesAny(with_, method);
  }

  void OnMessage(const Observed& seen, CheckReport*) override {
    if (!IsCall(seen)) return;
    if (IsOf(with_, seen)) with_seen_ = true;
    if (!after_seen_.empty() || !IsOf(after_, seen)) return;
    after_seen_ = seen.method;
    as_asked_ = with_.empty() || with_seen_;
  }

  void OnEvent(int64_t, const Event& event, CheckReport* report) override {
    if (const auto* spawn = std::get_if<trace::SpawnEvent>(&event)) {
      partial_ |= spawn->part > 1;
    } else if (std::holds_alternative<trace::GapEvent>(event)) {
      partial_ = true;
    } else if (std::holds_alternative<trace::SignalEvent>(event)) {
      signalled_ = true;
    } else if (const auto* exit = std::get_if<ExitStatus>(&event)) {
      Judge(*exit, report);
    }
  }

  void OnGap() override { partial_ = true; }

  void OnSessionEnd(bool, CheckReport*) override {
    after_seen_.clear();
    with_seen_ = as_asked_ = signalled_ = partial_ = false;
  }

 private:
  void Judge(const ExitStatus& exit, CheckReport* report) {
    if (after_seen_.empty() || signalled_ || (partial_ && !as_asked_)) return;
    const std::optional<int64_t> wanted = as_asked_ ? code_ : otherwise_;
    if (!wanted || (exit.signal == 0 && exit.code == *wanted)) return;
    Violation violation;
    violation.expected = "exit " + std::to_string(*wanted) + " after " + after_seen_;
    if (!with_.empty()) violation.expected += (as_asked_ ? " with " : " without ") + with_.front();
    violation.got = trace::Describe(exit);
    report->Add(std::move(violation), *rule_);
  }

  const wire::RuleSpec* rule_;
  std::vector<std::string> after_, with_;
  int64_t code_;
  std::optional<int64_t> otherwise_;
  std::string after_seen_;  // the first one
  bool with_seen_ = false, signalled_ = false, partial_ = false;
  bool as_asked_ = false;  // with_seen_ when after_ was seen
};

}  // namespace

MadeRule MakeExitRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<ExitRule>(&rule, in);
}

}  // namespace midwire::check
