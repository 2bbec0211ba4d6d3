// Rule type "level": messages have a known level that is not below the requested one.
//   {"type":"level","at":"host/log:/params/level","values":["trace","debug","info","warn","error"],
//    "minimum":"plugin/init:/params/log_level"}
// "values": all levels, the lowest first. "minimum" (optional): the place where one party sets the
// lowest level that it wants. In a request it applies from the answer on; a lower one at once,
// because messages may be in flight. Case is ignored. An unknown level that the method's schema
// refuses is reported only as that.
#include <algorithm>

#include "check/rules/types.h"
#include "wire/json/ascii.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class LevelRule : public CheckRule {
 public:
  LevelRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        at_(in->Places("at")),
        levels_(in->SomeTexts("values")),
        minimum_(in->OptionalPlace("minimum")) {
    if (at_.empty()) in->Expect("at", "METHOD:/pointer");
  }

  bool Reads(std::string_view method) const override {
    return AnyOfMethod(at_, method) || (minimum_ && minimum_->OfMethod(method));
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (minimum_) Learn(seen);
    for (const RulePlace& place : at_) {
      const std::optional<std::string_view> value = ValueOf(place, seen);
      if (!value) continue;
      const std::optional<size_t> level = LevelOf(*value);
      if (level && level >= least_) continue;  // true if least_ is not set
      Violation violation = CheckReport::Of("", seen);
      violation.pointer = wire::PointerText(place.pointer);
      if (!level && report->IsRefused(violation.pointer)) continue;
      if (level) {
        violation.expected = levels_[*least_] + " or above";
      } else {
        for (const std::string& known : levels_) {
          violation.expected += (violation.expected.empty() ? "one of " : ", ") + known;
        }
      }
      violation.got = Kept(*value);
      report->Add(std::move(violation), *rule_);
    }
  }

  bool ReadsOnly(const Observed& seen, RuleReads*) const override {
    if (minimum_ && (seen.message->IsAnswer() || !HasNone(*minimum_, seen))) return false;
    return HasNone(at_, seen);
  }

  void OnSessionEnd(bool, CheckReport*) override {
    asked_.Clear();
    least_.reset();
  }

 private:
  void Learn(const Observed& seen) {
    if (const auto value = ValueOf(*minimum_, seen)) {
      const std::optional<size_t> level = LevelOf(*value);
      if (seen.kind() != wire::Kind::kRequest) {
        least_ = level;
      } else {
        if (least_) least_ = level ? std::min(*least_, *level) : level;
        asked_.Add(seen, level);
      }
    } else if (const auto asked = asked_.Take(seen)) {
      if (seen.kind() == wire::Kind::kResponse) least_ = *asked;
    }
  }

  std::optional<size_t> LevelOf(std::string_view value) const {
    const std::string name = Meant(value);
    for (size_t i = 0; i < levels_.size(); ++i) {
      if (wire::SameLetters(levels_[i], name)) return i;
    }
    return std::nullopt;
  }

  const wire::RuleSpec* rule_;
  Places at_;
  std::vector<std::string> levels_;
  std::optional<RulePlace> minimum_;
  std::optional<size_t> least_;  // nullopt: not sent, or not a level
  Pending<std::optional<size_t>> asked_;
};

}  // namespace

MadeRule MakeLevelRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<LevelRule>(&rule, in);
}

}  // namespace midwire::check
