// Rule type "followed": after one message, another one must come before the session ends.
//   {"type":"followed","after":["shutdown"],"by":["exit"]}
// A request of "after" counts from its answer with a result on. The violation is that of the
// message of "after". It says what ended the session if that was the plugin. Only checked in
// complete recordings.
#include "check/rules/types.h"

namespace midwire::check {
namespace {

class FollowedRule : public CheckRule {
 public:
  FollowedRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule), after_(in->Methods("after")), by_(in->Methods("by")) {}

  bool Reads(std::string_view method) const override {
    return wire::MatchesAny(after_, method) || wire::MatchesAny(by_, method);
  }

  void OnMessage(const Observed& seen, CheckReport*) override {
    if (IsCall(seen) && IsOf(by_, seen)) waiting_.reset();
    if (!IsOf(after_, seen)) return;
    if (seen.kind() == wire::Kind::kRequest) {
      asked_.Add(seen, CheckReport::Of("", seen));
    } else if (seen.kind() == wire::Kind::kNotification) {
      waiting_ = CheckReport::Of("", seen);
    } else if (auto request = asked_.Take(seen); request && seen.kind() == wire::Kind::kResponse) {
      waiting_ = std::move(request);
    }
  }

  void OnEvent(int64_t, const Event& event, CheckReport*) override {
    if (const auto* eof = std::get_if<trace::EofEvent>(&event)) {
      host_ended_ |= eof->stream == wire::Name(wire::Direction::kHostToPlugin);
    } else if (std::holds_alternative<trace::SignalEvent>(event)) {
      host_ended_ = true;
    } else if (const auto* exit = std::get_if<ExitStatus>(&event)) {
      if (!host_ended_) exit_ = trace::Describe(*exit);
    }
  }

  void OnGap() override { Forget(); }

  void OnSessionEnd(bool whole, CheckReport* report) override {
    if (whole && waiting_) {
      waiting_->expected = by_.front() + " after it";
      waiting_->got = exit_.empty() ? "the end of the session" : "the plugin's " + exit_;
      report->Add(std::move(*waiting_), *rule_);
    }
    Forget();
    host_ended_ = false;
    exit_.clear();
  }

 private:
  void Forget() {
    waiting_.reset();
    asked_.Clear();
  }

  const wire::RuleSpec* rule_;
  std::vector<std::string> after_, by_;
  Pending<Violation> asked_;          // what to report of each request of after_
  std::optional<Violation> waiting_;  // of the latest that needs one of by_
  bool host_ended_ = false;           // it has closed stdin, or sent a signal
  std::string exit_;                  // of a plugin that ended before
};

}  // namespace

MadeRule MakeFollowedRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<FollowedRule>(&rule, in);
}

}  // namespace midwire::check
