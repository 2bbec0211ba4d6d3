// Rule type "granted": values that each need a grant of their own.
//   {"type":"granted","at":"client/registerCapability:/params/registrations/*/method",
//    "known":"initialize:/params/capabilities",
//    "grants":{"textDocument/didSave":"initialize:/params/capabilities/a/dynamicRegistration"}}
// "grants" has the place of the grant for each value that needs one; what a grant is, "gate" says.
// Nothing is reported until a message has a value at "known" (default: the object that holds the
// grant).
#include "check/rules/denial.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class GrantedRule : public CheckRule {
 public:
  GrantedRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule), at_(in->Places("at")), grants_(ReadGrants(in)) {
    if (at_.empty()) in->Expect("at", "METHOD:/pointer");
    if (grants_.empty()) in->Expect("grants", "an object with the place of each value's grant");
  }

  bool Reads(std::string_view method) const override {
    if (AnyOfMethod(at_, method)) return true;
    for (const auto& [name, grant] : grants_) {
      if (grant.Reads(method)) return true;
    }
    return false;
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    for (const RulePlace& place : at_) {
      EachValueOf(place, seen, [&](const wire::Path& path, std::string_view value) {
        const auto grant = grants_.find(Meant(value));
        if (grant == grants_.end() || grant->second.state() != Grant::State::kNo) return;
        report->AddWrong(seen, *rule_, wire::PointerText(path),
                         "a grant at " + grant->second.place(), Kept(value));
      });
    }
    for (auto& [name, grant] : grants_) {
      if (grant.Reads(seen.method)) grant.Learn(seen);
    }
  }

  void OnSessionEnd(bool, CheckReport*) override {
    for (auto& [name, grant] : grants_) grant.Forget();
  }

 private:
  const wire::RuleSpec* rule_;
  Places at_;
  Grants grants_;
};

}  // namespace

MadeRule MakeGrantedRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<GrantedRule>(&rule, in);
}

}  // namespace midwire::check
