// Rule type "either": an object has at least one of the listed members, or exactly one.
//   {"type":"either","at":"metadata/book/search:/params","members":["isbn","query"]}
//   {"type":"either","at":"function.call:/result","members":["value","items","entries"],
//    "exactly":true}
// A member that is null counts as missing. Missing params of a request count as an empty object;
// other values that are missing, or are not objects, are not checked.
#include <algorithm>

#include "check/rules/types.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class EitherRule : public CheckRule {
 public:
  EitherRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        at_(in->Places("at")),
        members_(in->SomeTexts("members")),
        exactly_(in->Flag("exactly")) {
    if (at_.empty()) in->Expect("at", "METHOD:/pointer");
  }

  bool Reads(std::string_view method) const override { return AnyOfMethod(at_, method); }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    for (const RulePlace& place : at_) {
      EachValueOf(place, seen, [&](const wire::Path& path, std::string_view value) {
        if (value == "null" && IsParams(place, seen)) value = "{}";
        if (wire::TypeOf(value) == wire::JsonType::kObject) {
          Judge(wire::PointerText(path), value, seen, report);
        }
      });
      if (seen.params.empty() && IsParams(place, seen)) {
        Judge(wire::PointerText(place.pointer), "{}", seen, report);
      }
    }
  }

 private:
  // The params of a call, as a whole.
  static bool IsParams(const RulePlace& place, const Observed& seen) {
    const std::vector<std::string>& steps = place.pointer.steps;
    return seen.json && IsCall(seen) && place.scope.OfMethod(seen.method) && steps.size() == 1 &&
           (steps[0] == "params" || steps[0] == "arguments");
  }

  void Judge(std::string pointer, std::string_view object, const Observed& seen,
             CheckReport* report) {
    std::vector<bool> there(members_.size());  // a name may occur twice
    wire::JsonParts parts(object);
    for (wire::JsonPart part; parts.Next(&part);) {
      if (part.value == "null") continue;
      const auto member = std::find(members_.begin(), members_.end(), Meant(part.name));
      if (member != members_.end()) there[static_cast<size_t>(member - members_.begin())] = true;
    }
    const auto count = std::count(there.begin(), there.end(), true);
    if (exactly_ ? count == 1 : count >= 1) return;
    Violation violation = CheckReport::Of("", seen);
    violation.pointer = std::move(pointer);
    violation.expected = exactly_ ? "exactly one of" : "at least one of";
    for (size_t i = 0; i < members_.size(); ++i) {
      violation.expected += (i == 0 ? " " : ", ") + members_[i];
      if (there[i]) violation.got += (violation.got.empty() ? "" : ", ") + members_[i];
    }
    if (violation.got.empty()) violation.got = "none";
    report->Add(std::move(violation), *rule_);
  }

  const wire::RuleSpec* rule_;
  Places at_;
  std::vector<std::string> members_;
  bool exactly_;
};

}  // namespace

MadeRule MakeEitherRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<EitherRule>(&rule, in);
}

}  // namespace midwire::check
