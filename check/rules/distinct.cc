// Rule type "distinct": the values at a place of one message differ.
//   {"type":"distinct","at":"tools/list:/result/tools/*/name"}
// Each value at "at", which has `*`, differs from those before it in the same message. Compared as
// JSON values.
#include "check/rules/types.h"
#include "wire/json/decimal.h"
#include "wire/json/hash.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class DistinctRule : public CheckRule {
 public:
  DistinctRule(const wire::RuleSpec* rule, wire::MemberReader* in)
      : rule_(rule), at_(in->Places("at")) {
    if (at_.empty()) in->Expect("at", "METHOD:/pointer");
  }

  bool Reads(std::string_view method) const override { return AnyOfMethod(at_, method); }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    for (const wire::MethodPlace& place : at_) {
      std::map<wire::ValueHash, std::string> first;  // and where it is
      EachValueOf(place, seen, [&](const wire::Path& path, std::string_view value) {
        if (first.size() >= kMaxRemembered) return;
        const auto [known, is_new] = first.emplace(wire::HashValue(value), "");
        if (is_new) {
          known->second = wire::PointerText(path);
          return;
        }
        Violation finding = CheckReport::Of("", seen);
        finding.pointer = wire::PointerText(path);
        finding.expected = "another value than at " + known->second;
        finding.got = Kept(value);
        report->Add(std::move(finding), *rule_);
      });
    }
  }

 private:
  const wire::RuleSpec* rule_;
  std::vector<wire::MethodPlace> at_;
};

}  // namespace

MadeRule MakeDistinctRule(const wire::RuleSpec& rule, wire::MemberReader* in) {
  return std::make_unique<DistinctRule>(&rule, in);
}

}  // namespace midwire::check
