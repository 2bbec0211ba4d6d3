// Rule type "requires": methods that must not be refused.
//   {"type":"requires","methods":["plugin/health","plugin/shutdown"],"without_code":true}
//   {"type":"requires","grants":{"tools/list":"initialize:/result/capabilities/tools"}}
// "codes": errors that count as a refusal (default: -32601, method not found). "without_code": so
// does an error without a code, for protocols whose errors have only a text. "grants", in place of
// "methods": methods that must not be refused once they were declared, each with the place of the
// grant. What a grant is, and "known", "gate" says.
#include <algorithm>

#include "check/rules/denial.h"

namespace midwire::check {
namespace {

constexpr int64_t kMethodNotFound = -32601;  // JSON-RPC 2.0, clause 5.1

class RequiresRule : public CheckRule {
 public:
  RequiresRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        methods_(in->Texts("methods")),
        grants_(ReadGrants(in)),
        codes_(in->Integers("codes")),
        without_code_(in->Flag("without_code")) {
    if (methods_.empty() == grants_.empty()) {
      in->Expect("methods", "a list of methods, or \"grants\"");
    }
    if (codes_.empty()) codes_ = {kMethodNotFound};
  }

  bool Reads(std::string_view method) const override {
    return wire::MatchesAny(methods_, method) || grants_.contains(method) ||
           std::any_of(grants_.begin(), grants_.end(),
                       [&](const auto& one) { return one.second.Reads(method); });
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (seen.kind() == wire::Kind::kError) Judge(seen, report);
    for (auto& [method, grant] : grants_) {
      if (grant.Reads(seen.method)) grant.Learn(seen);
    }
  }

  bool ReadsOnly(const Observed& seen, RuleReads* reads) const override {
    if (seen.kind() == wire::Kind::kError) return false;
    for (const auto& [method, grant] : grants_) grant.AddRead(seen, reads);
    reads->state = !reads->parts.empty();
    return true;
  }
  uint64_t state() const override {
    uint64_t changes = 0;
    for (const auto& [method, grant] : grants_) changes += grant.changes();
    return changes;
  }

  void OnSessionEnd(bool, CheckReport*) override {
    for (auto& [method, grant] : grants_) grant.Forget();
  }

 private:
  void Judge(const Observed& seen, CheckReport* report) const {
    const auto grant = grants_.find(seen.method);
    const bool granted = grant != grants_.end() && grant->second.state() == Grant::State::kYes;
    if (!granted && !IsOf(methods_, seen)) return;
    const std::optional<int64_t> code = seen.message->error_code;
    if (code ? std::find(codes_.begin(), codes_.end(), *code) == codes_.end() : !without_code_) {
      return;
    }
    Violation violation = CheckReport::Of("", seen);
    violation.pointer = code ? "/error/code" : "/error";
    violation.expected = "an answer to " + std::string(seen.method);
    if (granted) violation.expected += " (" + grant->second.place() + ")";
    violation.got = code ? std::to_string(*code) : Kept(seen.error);
    report->Add(std::move(violation), *rule_);
  }

  const wire::RuleSpec* rule_;
  std::vector<std::string> methods_;
  Grants grants_;
  std::vector<int64_t> codes_;
  bool without_code_;
};

}  // namespace

MadeRule MakeRequiresRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<RequiresRule>(&rule, in);
}

}  // namespace midwire::check
