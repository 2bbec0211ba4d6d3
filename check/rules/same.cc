// Rule type "same": equal requests in the same state must get equal answers.
//   {"type":"same","methods":["plugin/render"],"reset":["plugin/handle_*"],"at":"/result/buffer"}
// Requests of one method with equal params (as JSON values) must have equal results, or equal
// values at "at", a place in the answer. A message of a "reset" method, in either direction, begins
// a new state, also for requests that are open then. Errors are not compared.
#include "check/rules/difference.h"
#include "check/rules/types.h"
#include "wire/json/decimal.h"
#include "wire/json/hash.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"

namespace midwire::check {
namespace {

class SameRule : public CheckRule {
 public:
  SameRule(const wire::RuleSpec* rule, RuleReader* in)
      : rule_(rule),
        methods_(in->Methods()),
        reset_(in->Texts("reset")),
        at_(in->OptionalPlace("at")) {}

  bool Reads(std::string_view method) const override {
    return wire::MatchesAny(methods_, method) || wire::MatchesAny(reset_, method);
  }

  void OnMessage(const Observed& seen, CheckReport* report) override {
    if (IsOf(reset_, seen)) {
      ++epoch_;
      Forget();
    }
    if (!IsOf(methods_, seen)) return;
    if (seen.kind() == wire::Kind::kRequest) {
      const wire::ValueHash params = wire::HashValue(seen.params.empty() ? "null" : seen.params);
      const Question question = {std::hash<std::string_view>()(seen.method), params};
      return pending_.Add(seen, {question, epoch_});
    }
    const auto request = pending_.Take(seen);
    if (!request || request->epoch != epoch_ || seen.kind() != wire::Kind::kResponse) return;
    const auto value = at_ ? ValueOf(*at_, seen) : seen.result;
    const wire::ValueHash hash = wire::HashValue(value.value_or("null"));
    auto first = answers_.find(request->question);
    if (first == answers_.end()) {
      if (answers_.size() < kMaxRemembered) {
        answers_.emplace(request->question,
                         Answer{hash, seen.number(), room_.Keep(value.value_or(""))});
      }
      return;
    }
    if (first->second.hash == hash) return;
    Violation violation = CheckReport::Of("", seen);
    violation.pointer = at_ ? wire::PointerText(at_->pointer) : seen.result_pointer();
    const KeptValue& before = first->second.value;
    const std::string as_in = "as in #" + std::to_string(first->second.number);
    ShowDifference(before, value.value_or(""), &violation,
                   (before.text.empty() ? "" : " ") + as_in);
    report->Add(std::move(violation), *rule_);
  }

  void OnSessionEnd(bool, CheckReport*) override {
    pending_.Clear();
    Forget();
  }

 private:
  void Forget() {
    answers_.clear();
    room_.Clear();
  }

  using Question = std::pair<size_t, wire::ValueHash>;  // method and params
  struct PendingRequest {
    Question question;
    uint64_t epoch;
  };
  struct Answer {
    wire::ValueHash hash;
    uint64_t number;
    KeptValue value;
  };

  const wire::RuleSpec* rule_;
  std::vector<std::string> methods_, reset_;
  std::optional<RulePlace> at_;
  uint64_t epoch_ = 0;  // of the state: each reset begins another
  Pending<PendingRequest> pending_;
  ValueRoom room_;
  std::map<Question, Answer> answers_;
};

}  // namespace

MadeRule MakeSameRule(const wire::RuleSpec& rule, RuleReader* in) {
  return std::make_unique<SameRule>(&rule, in);
}

}  // namespace midwire::check
