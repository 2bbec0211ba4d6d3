// Rule type "during": messages that are sent only while the other party waits for an answer.
//   {"type":"during","methods":["callback.call","host.log"],
//    "open":["function.call","object.new","object.call_method"]}
// When a party sends one of "methods", a request of one of "open" that the other party made is not
// answered yet. A request that is never answered stays open. A recording that begins in the middle
// of a session, or has a gap, is not checked.
#include <array>

#include "check/rules/types.h"

namespace midwire::check {
namespace {

class DuringRule : public CheckRule {
 public:
  DuringRule(const wire::RuleSpec* rule, wire::MemberReader* in)
      : rule_(rule), methods_(in->Methods()), open_(in->Methods("open")) {}

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (partial_) return;
    if (IsCall(seen) && IsOf(methods_, seen) && waiting(Opposite(seen.direction())) == 0) {
      Violation finding = CheckReport::Of("", seen);
      finding.pointer = seen.method_pointer();
      finding.expected = "an open " + open_.front();
      finding.got = seen.method;
      report->Add(std::move(finding), *rule_);
    }
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
  // How many requests of "open" this party waits for.
  uint64_t& waiting(wire::Direction direction) { return waiting_[static_cast<int>(direction)]; }

  const wire::RuleSpec* rule_;
  std::vector<std::string> methods_, open_;
  std::array<uint64_t, 2> waiting_ = {};
  bool partial_ = false;
};

}  // namespace

MadeRule MakeDuringRule(const wire::RuleSpec& rule, wire::MemberReader* in) {
  return std::make_unique<DuringRule>(&rule, in);
}

}  // namespace midwire::check
