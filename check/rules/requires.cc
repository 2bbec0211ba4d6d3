// Rule type "requires": methods that must not be refused.
//   {"type":"requires","methods":["plugin/health","plugin/shutdown"],"without_code":true}
// "codes": errors that count as a refusal (default: -32601, method not found). "without_code": so
// does an error without a code, for protocols whose errors have only a text.
#include <algorithm>

#include "check/rules/types.h"

namespace midwire::check {
namespace {

constexpr int64_t kMethodNotFound = -32601;  // JSON-RPC 2.0, clause 5.1

class RequiresRule : public CheckRule {
 public:
  RequiresRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        methods_(in->Methods()),
        codes_(in->Integers("codes")),
        without_code_(in->Flag("without_code")) {
    if (codes_.empty()) codes_ = {kMethodNotFound};
  }

  bool Reads(std::string_view method) const override { return wire::MatchesAny(methods_, method); }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (seen.kind() != wire::Kind::kError || !IsOf(methods_, seen)) return;
    const std::optional<int64_t> code = seen.message->error_code;
    if (code ? std::find(codes_.begin(), codes_.end(), *code) == codes_.end() : !without_code_) {
      return;
    }
    Violation violation = CheckReport::Of("", seen);
    violation.pointer = code ? "/error/code" : "/error";
    violation.expected = "an answer to " + std::string(seen.method);
    violation.got = code ? std::to_string(*code) : Kept(seen.error);
    report->Add(std::move(violation), *rule_);
  }

 private:
  const wire::RuleSpec* rule_;
  std::vector<std::string> methods_;
  std::vector<int64_t> codes_;
  bool without_code_;
};

}  // namespace

MadeRule MakeRequiresRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<RequiresRule>(&rule, in);
}

}  // namespace midwire::check
