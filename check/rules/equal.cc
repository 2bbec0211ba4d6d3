// Rule type "equal": a value equals another one.
//   {"type":"equal","at":"plugin/init:/result/abi_version","value":2}
//   {"type":"equal","at":"scriptling.handshake:/result/protocol","request":"/params/protocol"}
//   {"type":"equal","at":"plugin/handle_event:/params/version","as":"plugin/init:/result/version"}
// Each value at "at" equals "value", or the one at "request" in the request that it answers, or the
// latest one at "as". Compared as JSON values: 2 equals 2.0, the order of members makes no
// difference. A missing value equals anything: the schema decides whether it is required.
#include "check/rules/difference.h"
#include "check/rules/types.h"
#include "wire/json/decimal.h"
#include "wire/json/hash.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class EqualRule : public CheckRule {
 public:
  EqualRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        at_(in->Place("at")),
        request_(in->OptionalPlace("request")),
        as_(in->OptionalPlace("as")) {
    const std::string constant = in->Value("value");
    if (!constant.empty()) Keep(constant);
    if (!constant.empty() + request_.has_value() + as_.has_value() != 1) {
      in->Expect("at", "one of \"value\", \"request\" and \"as\" beside it");
    }
    if (request_ && request_->scope.method.empty()) request_->scope = at_.scope;
  }

  bool Reads(std::string_view method) const override {
    return at_.OfMethod(method) || (request_ && request_->OfMethod(method)) ||
           (as_ && as_->OfMethod(method));
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (request_) {
      if (IsCall(seen)) {
        const auto value = ValueOf(*request_, seen);
        if (value) asked_.Add(seen, {wire::HashValue(*value), room_.Keep(*value)});
        return;
      }
      wanted_ = asked_.Take(seen);
      if (wanted_) room_.Drop(wanted_->value);
    } else if (as_) {
      if (const auto value = ValueOf(*as_, seen)) Keep(*value);
    }
    if (!wanted_) return;
    EachValueOf(at_, seen, [&](const wire::Path& path, std::string_view value) {
      if (wire::HashValue(value) == wanted_->hash) return;
      Violation violation = CheckReport::Of("", seen);
      violation.pointer = wire::PointerText(path);
      ShowDifference(wanted_->value, value, &violation);
      report->Add(std::move(violation), *rule_);
    });
  }

  void OnSessionEnd(bool, CheckReport*) override {
    asked_.Clear();
    if (!request_ && !as_) return;
    wanted_.reset();
    room_.Clear();
  }

 private:
  struct Wanted {
    wire::ValueHash hash;
    KeptValue value;
  };
  void Keep(std::string_view value) {
    if (wanted_) room_.Drop(wanted_->value);
    wanted_ = {wire::HashValue(value), room_.Keep(value)};
  }

  const wire::RuleSpec* rule_;
  RulePlace at_;
  std::optional<RulePlace> request_, as_;
  std::optional<Wanted> wanted_;
  ValueRoom room_;
  Pending<Wanted> asked_;
};

}  // namespace

MadeRule MakeEqualRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<EqualRule>(&rule, in);
}

}  // namespace midwire::check
