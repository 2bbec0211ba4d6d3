// Rule type "increasing": a number is above the one before it.
//   {"type":"increasing","at":"notifications/progress:/params/progress","by":"/params/token",
//    "reset":"/params/_meta/progressToken"}
// Numbers at "at" are compared with the latest one of the same party and the same value at "by"
// (optional). A value at "reset" starts over for that value of "by", before "at" is read: one
// message may do both. After a number that is not above, counting continues from there.
#include "check/rules/types.h"
#include "wire/json/decimal.h"
#include "wire/json/hash.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

// A longer one is no counter, and would fill memory.
constexpr size_t kMaxCounter = 64;

class IncreasingRule : public CheckRule {
 public:
  IncreasingRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        at_(in->Places("at")),
        by_(in->OptionalPlace("by")),
        reset_(in->Places("reset")) {
    if (at_.empty()) in->Expect("at", "METHOD:/pointer");
    if (!by_ && !reset_.empty()) in->Expect("by", "a place beside \"reset\"");
  }

  bool Reads(std::string_view method) const override {
    return AnyOfMethod(at_, method) || AnyOfMethod(reset_, method);
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    for (const RulePlace& place : reset_) {
      EachValueOf(place, seen, [&](const wire::Path&, std::string_view value) {
        for (auto& latest : latest_) latest.erase(wire::HashValue(value));
      });
    }
    for (const RulePlace& place : at_) Compare(place, seen, report);
  }

  bool ReadsOnly(const Observed& seen, RuleReads*) const override {
    return HasNone(at_, seen) && HasNone(reset_, seen);
  }

  // What was lost may have started over.
  void OnGap() override { latest_ = {}; }
  void OnSessionEnd(bool, CheckReport*) override { latest_ = {}; }

 private:
  void Compare(const RulePlace& place, const Observed& seen, CheckReport* report) {
    const auto number = ValueOf(place, seen);
    if (!number || wire::TypeOf(*number) != wire::JsonType::kNumber) return;
    if (number->size() > kMaxCounter) return;
    wire::ValueHash key;
    if (by_) {
      const auto value = ValueOf(*by_, seen);
      if (!value) return;
      key = wire::HashValue(*value);
    }
    auto& latest = latest_[static_cast<int>(seen.direction())];
    const auto known = latest.find(key);
    if (known == latest.end()) {
      if (latest.size() < kMaxRemembered) latest.emplace(key, *number);
      return;
    }
    if (wire::CompareNumbers(*number, known->second) <= 0) {
      report->AddWrong(seen, *rule_, wire::PointerText(place.pointer), "above " + known->second,
                       std::string(*number));
    }
    known->second = *number;
  }

  const wire::RuleSpec* rule_;
  Places at_;
  std::optional<RulePlace> by_;
  Places reset_;
  // By the party that counts: the latest number of each value at "by".
  std::array<std::map<wire::ValueHash, std::string>, 2> latest_;
};

}  // namespace

MadeRule MakeIncreasingRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<IncreasingRule>(&rule, in);
}

}  // namespace midwire::check
