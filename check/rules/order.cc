// Rule type "order": methods that may be sent only after another one.
//   {"type":"order","before":"initialize","after":["storage/*"]}
// None of "after" is sent, in either direction, before one of "before" was answered with a result
// or was sent as a notification. "before" itself may match "after". A recording that begins in the
// middle of a session is not checked. Each method is reported once for each party: a party that
// does not know the order breaks it with all of its messages. "once": true reports only the first
// such message of all. The violation says what became of "before": not sent, not answered yet, or
// refused. If the trace has no bytes of the party that would answer it, nothing is known of the
// answer, and nothing is reported. Of several such rules that a message breaks, the first one that
// is not milder than others reports it: what must come after "initialized" is also too early before
// "initialize". Nothing is reported while the session lacks its first message (lifecycle.first). In
// a log without an order between the directions, only the order of one party's messages counts.
#include <algorithm>
#include <set>
#include <utility>

#include "check/rules/types.h"

namespace midwire::check {
namespace {

// Methods that are remembered as reported; protocols have hundreds. Others are reported each time.
constexpr size_t kMaxReported = 1024;

class OrderRule : public CheckRule {
 public:
  OrderRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        before_(in->Methods("before")),
        after_(in->Methods("after")),
        once_(in->Flag("once")) {}

  bool Reads(std::string_view method) const override {
    return wire::MatchesAny(before_, method) || wire::MatchesAny(after_, method);
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (done_) return;
    if (IsOf(before_, seen)) {
      if (seen.kind() == wire::Kind::kRequest) {
        state_ = State::kAsked;
        asked_ = seen.direction();
      } else if (seen.kind() == wire::Kind::kError) {
        state_ = State::kRefused;
      } else {
        done_ = true;
      }
      return;
    }
    if (!IsCall(seen) || !IsOf(after_, seen) || report->unopened()) return;
    if (report->order_broken() >= rule_->severity) return;
    if (report->unordered() && !IsProven(seen, *report->dialect())) return;
    report->BreakOrder(rule_->severity);
    if (!IsNews(seen)) return;
    Violation violation = CheckReport::Of("", seen);
    violation.pointer = seen.method_pointer();
    violation.expected = before_.front() + " first";
    violation.got = seen.method;
    violation.text = std::string(seen.method) + Missing(before_.front());
    if (state_ == State::kAsked) {
      report->AddIfReceived(Opposite(asked_), std::move(violation), *rule_);
    } else if (state_ == State::kNone && !SentBy(seen.direction(), *report->dialect())) {
      report->AddIfReceived(Opposite(seen.direction()), std::move(violation), *rule_);
    } else {
      report->Add(std::move(violation), *rule_);
    }
    done_ = once_;
  }

  // Also called for part 2 and later of a recording.
  void OnGap() override { done_ = true; }

  void OnSessionEnd(bool, CheckReport*) override {
    done_ = false;
    state_ = State::kNone;
    reported_.clear();
  }

 private:
  bool IsNews(const Observed& seen) {
    const std::pair key(seen.direction(), std::string(seen.method));
    return reported_.size() < kMaxReported ? reported_.insert(key).second
                                           : !reported_.contains(key);
  }
  // Of two streams that were recorded apart, only what one party sent is in order.
  bool IsProven(const Observed& seen, const wire::Dialect& dialect) const {
    return state_ == State::kNone && SentBy(seen.direction(), dialect) &&
           !SentBy(Opposite(seen.direction()), dialect);
  }
  // Whether that party sends one of before_, as far as the dialect says.
  bool SentBy(wire::Direction direction, const wire::Dialect& dialect) const {
    return std::any_of(before_.begin(), before_.end(), [&](const std::string& method) {
      const wire::MethodSpec* spec = dialect.Find(method);
      return spec == nullptr || spec->from[static_cast<int>(direction)];
    });
  }
  enum class State : uint8_t { kNone, kAsked, kRefused };  // of the latest request of before_
  std::string Missing(const std::string& first) const {
    switch (state_) {
      case State::kNone:
        return " was sent before " + first;
      case State::kAsked:
        return " was sent before the answer to " + first;
      case State::kRefused:
        return " was sent although " + first + " was answered with an error";
    }
    return "";
  }

  const wire::RuleSpec* rule_;
  std::vector<std::string> before_, after_;
  bool once_;
  bool done_ = false;
  State state_ = State::kNone;
  std::set<std::pair<wire::Direction, std::string>> reported_;  // methods, by party
  wire::Direction asked_ = wire::Direction::kHostToPlugin;
};

}  // namespace

MadeRule MakeOrderRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<OrderRule>(&rule, in);
}

}  // namespace midwire::check
