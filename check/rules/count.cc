// Rule type "count": at most "max" different values exist at once.
//   {"type":"count","add":"storage/set:/params/key","remove":["storage/delete:/params/key"],
//    "clear":["storage/clear"],"max":100}
// A request counts when it is answered with a result, a notification at once. The violation is
// reported for the message that exceeds the limit: the answer that should have been an error.
// Values from earlier sessions are unknown.
#include <algorithm>
#include <set>

#include "check/rules/types.h"
#include "wire/json/decimal.h"
#include "wire/json/hash.h"

namespace midwire::check {
namespace {

class CountRule : public CheckRule {
 public:
  CountRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        add_(in->Places("add")),
        remove_(in->Places("remove")),
        clear_(in->Texts("clear")),
        max_(in->Integer("max")) {
    if (add_.empty()) in->Expect("add", "METHOD:/pointer");
    if (max_ < 0 || max_ > static_cast<int64_t>(kMaxRemembered)) {
      in->Expect("max", "a number from 0 to " + std::to_string(kMaxRemembered));
    }
  }

  bool Reads(std::string_view method) const override {
    return AnyOfMethod(add_, method) || AnyOfMethod(remove_, method) ||
           wire::MatchesAny(clear_, method);
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (IsCall(seen)) {
      std::optional<Change> change = ChangeOf(seen);
      if (!change) return;
      if (seen.kind() == wire::Kind::kNotification) return Apply(*change, seen, report);
      asked_.Add(seen, *change);
    } else if (const auto change = asked_.Take(seen)) {
      if (seen.kind() == wire::Kind::kResponse) Apply(*change, seen, report);
    }
  }

  void OnSessionEnd(bool, CheckReport*) override {
    asked_.Clear();
    alive_.clear();
  }

 private:
  struct Change {
    enum class What : uint8_t { kAdd, kRemove, kClear } what;
    wire::ValueHash value;
  };

  std::optional<Change> ChangeOf(const Observed& seen) const {
    using What = Change::What;
    if (IsOf(clear_, seen)) return Change{What::kClear, {}};
    for (const What what : {What::kAdd, What::kRemove}) {
      for (const RulePlace& place : what == What::kAdd ? add_ : remove_) {
        if (const auto value = ValueOf(place, seen)) return Change{what, wire::HashValue(*value)};
      }
    }
    return std::nullopt;
  }

  void Apply(const Change& change, const Observed& seen, CheckReport* report) {
    if (change.what == Change::What::kClear) return alive_.clear();
    if (change.what == Change::What::kRemove) return static_cast<void>(alive_.erase(change.value));
    if (alive_.contains(change.value)) return;
    const size_t count = alive_.size() + 1;
    if (count <= kMaxRemembered) alive_.insert(change.value);
    if (count <= static_cast<size_t>(max_)) return;
    Violation violation = CheckReport::Of("", seen);
    violation.expected = "at most " + std::to_string(max_) + " at once";
    violation.got = "number " + std::to_string(count);
    report->Add(std::move(violation), *rule_);
  }

  const wire::RuleSpec* rule_;
  Places add_, remove_;
  std::vector<std::string> clear_;
  int64_t max_;
  Pending<Change> asked_;
  std::set<wire::ValueHash> alive_;
};

}  // namespace

MadeRule MakeCountRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<CountRule>(&rule, in);
}

}  // namespace midwire::check
