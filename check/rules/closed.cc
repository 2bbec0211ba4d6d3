// Rule type "closed": requests that a party sends after it has closed the session must be denied.
//   {"type":"closed","after":["shutdown"],"code":-32600,"asking":"off"}
// "after": requests that close it, from the request on, unless it is answered with an error. A
// request of the same party that comes later must be answered with the error "code". "asking" is
// the severity of that request (default: the rule's), the rule's that of a wrong answer. What was
// requested before may be answered at any time.
#include "check/rules/denial.h"

namespace midwire::check {
namespace {

class ClosedRule : public DenialRule {
 public:
  ClosedRule(const wire::RuleSpec& rule, RuleReader* in)
      : DenialRule(rule, in), after_(in->SomeTexts("after")) {
    if (!in->Has("code")) in->Expect("code", "an integer");
    judges_answers_ = true;
  }

 protected:
  bool Judges(std::string_view) const override { return true; }

  std::optional<Denied> Judge(const Observed& seen) override {
    if (seen.kind() == wire::Kind::kError && seen.request != nullptr &&
        seen.request->number == closed_at_) {
      Close(0);
    }
    if (seen.kind() != wire::Kind::kRequest) return std::nullopt;
    if (closed_at_ != 0 && seen.direction() == from_) {
      return Denied{seen.method_pointer(), "", std::string(seen.method)};
    }
    if (closed_at_ == 0 && IsOf(after_, seen)) {
      from_ = seen.direction();
      Close(seen.number());
    }
    return std::nullopt;
  }

  bool AddJudged(const Observed& seen, RuleReads* reads) const override {
    reads->state = seen.kind() == wire::Kind::kRequest;
    return !IsOf(after_, seen);
  }

  void ForgetMore() override { closed_at_ = 0; }

 private:
  void Close(uint64_t request) {
    closed_at_ = request;
    ++changes_;
  }

  std::vector<std::string> after_;
  uint64_t closed_at_ = 0;  // the request that closed it; 0: it is open
  wire::Direction from_ = wire::Direction::kHostToPlugin;
};

}  // namespace

MadeRule MakeClosedRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<ClosedRule>(rule, in);
}

}  // namespace midwire::check
