// Rule type "during": messages that are sent only while the other party waits for an answer.
//   {"type":"during","methods":["callback.call","host.log"],
//    "open":["function.call","object.new","object.call_method"]}
// When a party sends one of "methods", a request of one of "open" that the other party made is not
// answered yet. A request that is never answered stays open. A recording that begins in the middle
// of a session, or has a gap, is not checked, nor a log without an order between the directions.
// "at", in place of "methods": places in calls. A call with a value there, or with one of "is",
// needs the open request: one method may carry what belongs to a request and what does not.
#include <algorithm>
#include <array>

#include "check/rules/types.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class DuringRule : public CheckRule {
 public:
  DuringRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        methods_(in->Texts("methods")),
        at_(in->Places("at")),
        is_(in->Texts("is")),
        open_(in->Methods("open")) {
    if (methods_.empty() == at_.empty()) in->Expect("methods", "a list of methods, or \"at\"");
    if (at_.empty() && !is_.empty()) in->Expect("at", "a list of places beside \"is\"");
  }

  bool Reads(std::string_view method) const override {
    return wire::MatchesAny(methods_, method) || AnyOfMethod(at_, method) ||
           wire::MatchesAny(open_, method);
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (partial_ || report->unordered()) return;
    // Of a message about a handle that was never made, that was reported.
    const bool judged = IsCall(seen) && !report->unknown_handle();
    if (judged && waiting(Opposite(seen.direction())) == 0) JudgeOutside(seen, report);
    if (!IsOf(open_, seen)) return;
    if (seen.kind() == wire::Kind::kRequest) {
      ++waiting(seen.direction());
    } else if (seen.message->IsAnswer() && seen.request != nullptr) {
      uint64_t& asked = waiting(Opposite(seen.direction()));
      if (asked > 0) --asked;
    }
  }

  void OnEvent(int64_t, const Event& event, CheckReport*) override {
    const auto* spawn = std::get_if<trace::SpawnEvent>(&event);
    if ((spawn != nullptr && spawn->part > 1) || std::holds_alternative<trace::GapEvent>(event)) {
      partial_ = true;
    }
  }

  void OnGap() override { partial_ = true; }

  void OnSessionEnd(bool, CheckReport*) override {
    waiting_ = {};
    partial_ = false;
  }

 private:
  // A call while no request of "open" is open.
  void JudgeOutside(const Observed& seen, CheckReport* report) const {
    if (IsOf(methods_, seen))
      return Add(seen, seen.method_pointer(), std::string(seen.method), report);
    for (const RulePlace& place : at_) {
      EachValueOf(place, seen, [&](const wire::Path& path, std::string_view value) {
        const bool named = std::find(is_.begin(), is_.end(), Meant(value)) != is_.end();
        if (is_.empty() || named) Add(seen, wire::PointerText(path), Kept(value), report);
      });
    }
  }
  void Add(const Observed& seen, std::string pointer, std::string got, CheckReport* report) const {
    report->AddWrong(seen, *rule_, std::move(pointer), "an open " + open_.front(), std::move(got));
  }
  // How many requests of "open" this party waits for.
  uint64_t& waiting(wire::Direction direction) { return waiting_[static_cast<int>(direction)]; }

  const wire::RuleSpec* rule_;
  std::vector<std::string> methods_;
  Places at_;
  std::vector<std::string> is_, open_;
  std::array<uint64_t, 2> waiting_ = {};
  bool partial_ = false;
};

}  // namespace

MadeRule MakeDuringRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<DuringRule>(&rule, in);
}

}  // namespace midwire::check
