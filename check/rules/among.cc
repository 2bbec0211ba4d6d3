// Rule type "among": a value is one of those sent before in the same session.
//   {"type":"among","at":"function.call:/params/name",
//    "of":["scriptling.handshake:/result/schema/functions/*/name"],
//    "known":"scriptling.handshake:/result/schema/functions"}
// Each value at "at" was seen at one of "of". Nothing is reported until a message has a value at
// "known" (default: at one of "of"), because the list may not have been sent yet.
#include <set>

#include "check/rules/types.h"
#include "wire/json/decimal.h"
#include "wire/json/hash.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class AmongRule : public CheckRule {
 public:
  AmongRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        at_(in->Places("at")),
        of_(in->Places("of")),
        known_(in->OptionalPlace("known")) {
    if (at_.empty()) in->Expect("at", "METHOD:/pointer");
    if (of_.empty()) in->Expect("of", "a list of METHOD:/pointer");
  }

  bool Reads(std::string_view method) const override {
    return AnyOfMethod(at_, method) || AnyOfMethod(of_, method) ||
           (known_ && known_->OfMethod(method));
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    for (const RulePlace& place : of_) {
      EachValueOf(place, seen, [&](const wire::Path&, std::string_view value) {
        if (!known_) begun_ = true;
        if (values_.size() < kMaxRemembered) values_.insert(wire::HashValue(value));
      });
    }
    if (known_ && !begun_) begun_ = ValueOf(*known_, seen).has_value();
    if (!begun_ || values_.size() >= kMaxRemembered) return;
    for (const RulePlace& place : at_) {
      EachValueOf(place, seen, [&](const wire::Path& path, std::string_view value) {
        if (values_.contains(wire::HashValue(value))) return;
        report->AddWrong(seen, *rule_, wire::PointerText(path),
                         "a value sent at " + of_.front().text, Kept(value));
      });
    }
  }

  // Values are only added.
  bool ReadsOnly(const Observed& seen, RuleReads* reads) const override {
    const bool none = HasNone(at_, seen) && HasNone(of_, seen);
    if (none && (!known_ || HasNone(*known_, seen))) return true;
    if (!begun_ || values_.size() >= kMaxRemembered) return false;
    for (const Places* places : {&at_, &of_}) {
      for (const RulePlace& place : *places) AddValuesOf(place, seen, &reads->parts);
    }
    return true;
  }

  void OnSessionEnd(bool, CheckReport*) override {
    values_.clear();
    begun_ = false;
  }

 private:
  const wire::RuleSpec* rule_;
  Places at_, of_;
  std::optional<RulePlace> known_;
  bool begun_ = false;
  std::set<wire::ValueHash> values_;
};

}  // namespace

MadeRule MakeAmongRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<AmongRule>(&rule, in);
}

}  // namespace midwire::check
