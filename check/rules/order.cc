// Rule type "order": methods that may be sent only after another one.
//   {"type":"order","before":"initialize","after":["storage/*"]}
// None of "after" is sent, in either direction, before one of "before" was answered with a result
// or was sent as a notification. "before" itself may match "after". A recording that begins in the
// middle of a session is not checked. "once": true reports only the first such message.
#include "check/rules/types.h"

namespace midwire::check {
namespace {

class OrderRule : public CheckRule {
 public:
  OrderRule(const wire::RuleSpec* rule, wire::MemberReader* in)
      : rule_(rule),
        before_(in->Methods("before")),
        after_(in->Methods("after")),
        once_(in->Flag("once")) {}

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (done_) return;
    if (IsOf(before_, seen)) {
      done_ = seen.kind() == wire::Kind::kNotification || seen.kind() == wire::Kind::kResponse;
      return;
    }
    if (!IsCall(seen) || !IsOf(after_, seen)) return;
    Violation finding = CheckReport::Of("", seen);
    finding.pointer = seen.method_pointer();
    finding.expected = before_.front() + " first";
    finding.got = seen.method;
    report->Add(std::move(finding), *rule_);
    done_ = once_;
  }

  // Also called for part 2 and later of a recording.
  void OnGap() override { done_ = true; }

  void OnSessionEnd(bool, CheckReport*) override { done_ = false; }

 private:
  const wire::RuleSpec* rule_;
  std::vector<std::string> before_, after_;
  bool once_;
  bool done_ = false;
};

}  // namespace

MadeRule MakeOrderRule(const wire::RuleSpec& rule, wire::MemberReader* in) {
  return std::make_unique<OrderRule>(&rule, in);
}

}  // namespace midwire::check
