// Rule type "valid": values that are used only from when they were granted until they end.
//   {"type":"valid","made":["window/workDoneProgress/create:/params/token"],
//    "answered":["window/workDoneProgress/create"],"used":["$/progress:/params/token"],
//    "ended":["$/progress[/params/value/kind=end]:/params/token"]}
// What a request of "answered" makes is valid once that request was answered with a result. A value
// ends at a place of "ended", which may be of some calls of a method. All end when a call of
// "ended_by" succeeds that was sent after they were made. "once": true reports a value that is
// made by the same party while it is valid. "life":"call": a value ends when the request that made
// it is answered. "unless": a call of "ended_by" with true there ends nothing. A value that was
// never made is not reported: that is for "handles". Each value is reported once per method: a
// plugin that does not notice a refusal goes on with hundreds of notifications.
#include <algorithm>
#include <set>

#include "check/rules/types.h"
#include "wire/json/decimal.h"
#include "wire/json/hash.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class ValidRule : public CheckRule {
 public:
  ValidRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        made_(in->Places("made")),
        used_(in->Places("used")),
        ended_(in->ScopedPlaces("ended")),
        answered_(in->Texts("answered")),
        ended_by_(in->Texts("ended_by")),
        unless_(in->OptionalPlace("unless")),
        once_(in->Flag("once")),
        of_call_(in->Text("life") == "call") {
    if (made_.empty()) in->Expect("made", "a list of METHOD:/pointer");
    if (used_.empty() && !once_) in->Expect("used", "a list of METHOD:/pointer, or \"once\"");
    if (in->Has("life") && !of_call_) in->Expect("life", "call");
    if (unless_ && ended_by_.empty()) in->Expect("ended_by", "a method beside \"unless\"");
  }

  bool Reads(std::string_view method) const override {
    return AnyOfMethod(used_, method) || AnyOfMethod(made_, method) ||
           AnyOfMethod(ended_, method) || wire::MatchesAny(answered_, method) ||
           wire::MatchesAny(ended_by_, method);
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    for (const RulePlace& place : used_) {
      EachScalar(place, seen, [&](const wire::Path& path, std::string_view value) {
        JudgeUse(seen, path, value, report);
      });
    }
    for (const RulePlace& place : made_) {
      EachScalar(place, seen, [&](const wire::Path& path, std::string_view value) {
        Make(seen, path, value, report);
      });
    }
    Settle(seen);
    for (const RulePlace& place : ended_) {
      if (!IsInScope(place, seen)) continue;
      EachScalar(place, seen, [&](const wire::Path&, std::string_view value) {
        const auto meant = FindMeant(wire::HashValue(value));
        if (meant != values_.end()) End(meant->first);
      });
    }
    EndAll(seen);
  }

  bool ReadsOnly(const Observed& seen, RuleReads*) const override {
    if (of_call_ && seen.message->IsAnswer()) return false;
    return HasNone(used_, seen) && HasNone(made_, seen) && HasNone(ended_, seen) &&
           !IsOf(answered_, seen) && !IsOf(ended_by_, seen);
  }

  void OnGap() override { Forget(); }
  void OnSessionEnd(bool, CheckReport*) override { Forget(); }

 private:
  enum class State : uint8_t { kAsked, kRefused, kValid, kEnded };
  // Protocols have two or three methods that use a value; others are reported each time.
  static constexpr size_t kMaxReported = 16;
  struct Value {
    State state;
    uint64_t made;                                // the message
    std::set<std::pair<State, size_t>> reported;  // uses, by hash of the method
  };
  // Each party names its own: whether the host made it, and what it is.
  using Key = std::pair<bool, wire::ValueHash>;
  using Values = std::map<Key, Value>;
  State StateOf(const Value& value) const {
    return value.state == State::kValid && value.made < ended_before_ ? State::kEnded : value.state;
  }

  template <typename Take>
  static void EachScalar(const RulePlace& place, const Observed& seen, const Take& take) {
    if (!place.OfMethod(seen.method)) return;
    EachValueOf(place, seen, [&](const wire::Path& path, std::string_view value) {
      const wire::JsonType type = wire::TypeOf(value);
      if (type == wire::JsonType::kString || type == wire::JsonType::kNumber) take(path, value);
    });
  }

  void JudgeUse(const Observed& seen, const wire::Path& path, std::string_view value,
                CheckReport* report) {
    const auto known = FindMeant(wire::HashValue(value));
    if (known == values_.end()) return;
    const State state = StateOf(known->second);
    if (state == State::kValid || report->unordered()) return;
    auto& reported = known->second.reported;
    const std::pair use(state, std::hash<std::string_view>()(seen.method));
    if (reported.contains(use)) return;
    if (reported.size() < kMaxReported) reported.insert(use);
    const std::string made = "#" + std::to_string(known->second.made);
    Violation violation = CheckReport::Of("", seen);
    violation.pointer = wire::PointerText(path);
    violation.got = Kept(value);
    if (state == State::kAsked) {
      violation.expected = "the answer to " + made + " first";
      return report->AddIfReceived(Opposite(seen.direction()), std::move(violation), *rule_);
    }
    violation.expected = state == State::kRefused ? "none: " + made + " was refused"
                                                  : "none: that of " + made + " ended";
    report->Add(std::move(violation), *rule_);
  }

  // The one that is valid, else the one that was made last.
  Values::iterator FindMeant(const wire::ValueHash& hash) {
    auto meant = values_.end();
    for (const bool host : {false, true}) {
      const auto known = values_.find(Key{host, hash});
      if (known == values_.end()) continue;
      if (StateOf(known->second) == State::kValid) return known;
      if (meant == values_.end() || meant->second.made < known->second.made) meant = known;
    }
    return meant;
  }

  void End(const Key& key) {
    const auto known = values_.find(key);
    if (known != values_.end()) known->second.state = State::kEnded;
  }

  void Make(const Observed& seen, const wire::Path& path, std::string_view value,
            CheckReport* report) {
    if (of_call_ && seen.kind() != wire::Kind::kRequest) return;
    const Key key = {seen.direction() == wire::Direction::kHostToPlugin, wire::HashValue(value)};
    const auto known = values_.find(key);
    if (known == values_.end() && values_.size() >= kMaxRemembered) return;
    if (once_ && known != values_.end() && StateOf(known->second) == State::kValid) {
      report->AddWrong(seen, *rule_, wire::PointerText(path),
                       "the end of that of #" + std::to_string(known->second.made) + " first",
                       Kept(value));
    }
    const bool asks = seen.kind() == wire::Kind::kRequest && IsOf(answered_, seen);
    if (asks) asked_.Add(seen, key);
    if (of_call_) lent_.Add(seen, key);
    values_[key] = {asks ? State::kAsked : State::kValid, seen.number(), {}};
  }

  void Settle(const Observed& seen) {
    while (const std::optional<Key> asked = asked_.Take(seen)) {
      const auto known = values_.find(*asked);
      if (known == values_.end() || known->second.state != State::kAsked) continue;
      known->second.state = seen.kind() == wire::Kind::kResponse ? State::kValid : State::kRefused;
    }
    while (const std::optional<Key> lent = lent_.Take(seen)) {
      const auto known = values_.find(*lent);
      // Unless another request has made it again since.
      if (known != values_.end() && known->second.made == seen.request->number) End(*lent);
    }
  }

  void EndAll(const Observed& seen) {
    if (!IsOf(ended_by_, seen)) return;
    if (IsCall(seen) && unless_ && ValueOf(*unless_, seen) == "true") {
      return spared_.Add(seen, true);
    }
    if (spared_.Take(seen)) return;
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
    lent_.Clear();
    spared_.Clear();
  }

  const wire::RuleSpec* rule_;
  Places made_, used_, ended_;
  std::vector<std::string> answered_, ended_by_;
  std::optional<RulePlace> unless_;
  bool once_, of_call_;
  uint64_t ended_before_ = 0;  // what was made before this message has ended
  Values values_;
  Pending<Key> asked_, lent_;  // what requests make: once answered with a result, until answered
  Pending<bool> spared_;       // requests that end nothing
};

}  // namespace

MadeRule MakeValidRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<ValidRule>(&rule, in);
}

}  // namespace midwire::check
