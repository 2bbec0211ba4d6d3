// Rule type "valid": values that are used only from when they were granted until they end.
//   {"type":"valid","made":["window/workDoneProgress/create:/params/token"],
//    "answered":["window/workDoneProgress/create"],"used":["$/progress:/params/token"],
//    "ended":["$/progress[/params/value/kind=end]:/params/token"]}
// What a request of "answered" makes is valid once that request was answered with a result. A value
// ends at a place of "ended", which may be of some calls of a method, or all end when a call of
// "ended_by" succeeded that was sent after they were made. "once": true reports a value that is
// made while it is valid. A value that was never made is not reported: that is for "handles".
#include <algorithm>

#include "check/rules/types.h"
#include "wire/json/decimal.h"
#include "wire/json/hash.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class ValidRule : public CheckRule {
 public:
  ValidRule(const wire::RuleSpec* rule, wire::MemberReader* in)
      : rule_(rule),
        made_(in->Places("made")),
        used_(in->Places("used")),
        ended_(in->ScopedPlaces("ended")),
        answered_(in->Texts("answered")),
        ended_by_(in->Texts("ended_by")),
        once_(in->Flag("once")) {
    if (made_.empty()) in->Expect("made", "a list of METHOD:/pointer");
    if (used_.empty() && !once_) in->Expect("used", "a list of METHOD:/pointer, or \"once\"");
  }

  bool Reads(std::string_view method) const override {
    return AnyOfMethod(used_, method) || AnyOfMethod(made_, method) ||
           AnyOfMethod(ended_, method) || wire::MatchesAny(answered_, method) ||
           wire::MatchesAny(ended_by_, method);
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    for (const wire::MethodPlace& place : used_) {
      EachScalar(place, seen, [&](const wire::Path& path, std::string_view value) {
        JudgeUse(seen, path, value, report);
      });
    }
    for (const wire::MethodPlace& place : made_) {
      EachScalar(place, seen, [&](const wire::Path& path, std::string_view value) {
        Make(seen, path, value, report);
      });
    }
    Settle(seen);
    for (const wire::MethodPlace& place : ended_) {
      if (!place.scope.members.empty() && !(IsCall(seen) && place.scope.HasMembers(seen.body))) {
        continue;
      }
      EachScalar(place, seen, [&](const wire::Path&, std::string_view value) {
        const auto known = values_.find(wire::HashValue(value));
        if (known != values_.end()) known->second.state = State::kEnded;
      });
    }
    EndAll(seen);
  }

  void OnGap() override { Forget(); }
  void OnSessionEnd(bool, CheckReport*) override { Forget(); }

 private:
  enum class State : uint8_t { kAsked, kRefused, kValid, kEnded };
  struct Value {
    State state;
    uint64_t made;  // the message
  };
  State StateOf(const Value& value) const {
    return value.state == State::kValid && value.made < ended_before_ ? State::kEnded : value.state;
  }

  template <typename Take>
  static void EachScalar(const wire::MethodPlace& place, const Observed& seen, const Take& take) {
    if (!place.OfMethod(seen.method)) return;
    EachValueOf(place, seen, [&](const wire::Path& path, std::string_view value) {
      const wire::JsonType type = wire::TypeOf(value);
      if (type == wire::JsonType::kString || type == wire::JsonType::kNumber) take(path, value);
    });
  }

  void JudgeUse(const Observed& seen, const wire::Path& path, std::string_view value,
                CheckReport* report) const {
    const auto known = values_.find(wire::HashValue(value));
    if (known == values_.end()) return;
    const State state = StateOf(known->second);
    if (state == State::kValid) return;
    const std::string made = "#" + std::to_string(known->second.made);
    Violation finding = CheckReport::Of("", seen);
    finding.pointer = wire::PointerText(path);
    finding.got = Kept(value);
    if (state == State::kAsked) {
      finding.expected = "the answer to " + made + " first";
      return report->AddIfHeard(Opposite(seen.direction()), std::move(finding), *rule_);
    }
    finding.expected = state == State::kRefused ? "none: " + made + " was refused"
                                                : "none: that of " + made + " ended";
    report->Add(std::move(finding), *rule_);
  }

  void Make(const Observed& seen, const wire::Path& path, std::string_view value,
            CheckReport* report) {
    const wire::ValueHash hash = wire::HashValue(value);
    const auto known = values_.find(hash);
    if (known == values_.end() && values_.size() >= kMaxRemembered) return;
    if (once_ && known != values_.end() && StateOf(known->second) == State::kValid) {
      Violation finding = CheckReport::Of("", seen);
      finding.pointer = wire::PointerText(path);
      finding.expected = "the end of that of #" + std::to_string(known->second.made) + " first";
      finding.got = Kept(value);
      report->Add(std::move(finding), *rule_);
    }
    const bool asks = seen.kind() == wire::Kind::kRequest && IsOf(answered_, seen);
    if (asks) asked_.Add(seen, hash);
    values_[hash] = {asks ? State::kAsked : State::kValid, seen.number()};
  }

  void Settle(const Observed& seen) {
    const std::optional<wire::ValueHash> asked = asked_.Take(seen);
    if (!asked) return;
    const auto known = values_.find(*asked);
    if (known == values_.end() || known->second.state != State::kAsked) return;
    known->second.state = seen.kind() == wire::Kind::kResponse ? State::kValid : State::kRefused;
  }

  void EndAll(const Observed& seen) {
    if (!IsOf(ended_by_, seen)) return;
    uint64_t call = seen.number();
    if (seen.kind() != wire::Kind::kNotification) {
      if (seen.kind() != wire::Kind::kResponse || seen.request == nullptr) return;
      call = seen.request->number;
    }
    ended_before_ = std::max(ended_before_, call);
  }

  void Forget() {
    ended_before_ = 0;
    values_.clear();
    asked_.Clear();
  }

  const wire::RuleSpec* rule_;
  std::vector<wire::MethodPlace> made_, used_, ended_;
  std::vector<std::string> answered_, ended_by_;
  bool once_;
  uint64_t ended_before_ = 0;  // what was made before this message has ended
  std::map<wire::ValueHash, Value> values_;
  Pending<wire::ValueHash> asked_;
};

}  // namespace

MadeRule MakeValidRule(const wire::RuleSpec& rule, wire::MemberReader* in) {
  return std::make_unique<ValidRule>(&rule, in);
}

}  // namespace midwire::check
