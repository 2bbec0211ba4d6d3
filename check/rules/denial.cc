#include "check/rules/denial.h"

#include <algorithm>

#include "wire/json/parts.h"
#include "wire/json/unescape.h"

namespace midwire::check {
namespace {

using wire::JsonType;

bool IsNothing(std::string_view value) { return value == "false" || value == "null"; }

}  // namespace

Grant::Grant(RulePlace place, std::optional<RulePlace> known, const RuleReader& in)
    : place_(std::move(place)), known_(std::move(known)) {
  if (!known_ && place_.pointer.steps.size() >= 2) {
    wire::MethodPlace around = place_;
    around.pointer.steps.pop_back();
    known_ = in.Compiled(std::move(around));
  }
  if (!known_ || known_->scope.method != place_.scope.method) return;
  const std::vector<std::string>& inner = place_.pointer.steps;
  const std::vector<std::string>& outer = known_->pointer.steps;
  below_ = outer.size() < inner.size() && std::equal(outer.begin(), outer.end(), inner.begin()) &&
           std::find(inner.begin(), inner.end(), wire::Pointer::kAny) == inner.end();
}

void Grant::Learn(const Observed& seen) {
  const std::optional<std::string_view> known = known_ ? ValueOf(*known_, seen) : std::nullopt;
  if (below_) {
    if (!known || *known == latest_) return;
    Take(ValueOf(place_, seen));
    if (known->size() <= kMaxRepeated) latest_ = *known;
    return;
  }
  const std::optional<std::string_view> value = ValueOf(place_, seen);
  if (!value && !known) return;
  if (state_ != State::kUnknown && (value ? *value == latest_ : state_ == State::kNo && !latest_))
    return;
  Take(value);
  if (value && value->size() <= kMaxRepeated) latest_ = *value;
}

// The latest value at the place; nullopt: a message should have one, and has none.
void Grant::Take(std::optional<std::string_view> value) {
  Forget();
  ++changes_;
  state_ = State::kNo;
  if (!value || IsNothing(*value)) return;
  state_ = State::kYes;
  const auto keep = [&](std::string_view name) {
    if (name.size() <= kMaxGrantedName && names_.size() < kMaxGranted) {
      names_.push_back(wire::StringValue(name));
    }
  };
  const JsonType type = wire::TypeOf(*value);
  list_ = type == JsonType::kArray;
  if (type == JsonType::kString) {
    keep(*value);
  } else if (type == JsonType::kArray || type == JsonType::kObject) {
    wire::JsonParts parts(*value);
    for (wire::JsonPart part; parts.Next(&part);) {
      if (type == JsonType::kObject) {
        if (!IsNothing(part.value)) keep(part.name);
      } else if (wire::TypeOf(part.value) == JsonType::kString) {
        keep(part.value);
      }
    }
    // The presence of an object may grant: {"tools":{}}.
    if (list_ && names_.empty()) state_ = State::kNo;
  }
  std::sort(names_.begin(), names_.end());
}

void Grant::Forget() {
  state_ = State::kUnknown;
  list_ = false;
  names_.clear();
  latest_.reset();
}

bool Grant::Names(std::string_view name) const {
  return std::binary_search(names_.begin(), names_.end(), name);
}

Grants ReadGrants(RuleReader* in) {
  Grants grants;
  const std::optional<RulePlace> known = in->OptionalPlace("known");
  in->Members("grants", [&](const std::string& name, wire::MemberReader* member) {
    Result<wire::MethodPlace> place = wire::ParseMethodPlace(member->AsText());
    if (!place) return member->Expect("METHOD:/pointer");
    grants.emplace(name, Grant(in->Compiled(std::move(*place)), known, *in));
  });
  return grants;
}

DenialRule::DenialRule(const wire::RuleSpec& rule, RuleReader* in)
    : rule_(&rule), asking_(rule), code_(in->OptionalInteger("code")) {
  asking_.severity = in->Severity("asking", rule.severity);
  if (rule.severity == wire::Severity::kOff) asking_.severity = wire::Severity::kOff;
}

bool DenialRule::Reads(std::string_view method) const {
  return Judges(method) || std::any_of(grants_.begin(), grants_.end(),
                                       [&](const Grant* grant) { return grant->Reads(method); });
}

void DenialRule::OnMessage(const Observed& seen, CheckReport* report) {
  if (IsCall(seen) || (judges_answers_ && seen.message->IsAnswer())) {
    if (std::optional<Denied> denied = Judge(seen)) {
      if (code_) denied_.Add(seen, Kept(denied->got));
      report->AddWrong(seen, asking_, std::move(denied->pointer), std::move(denied->expected),
                       std::move(denied->got));
    }
  }
  if (const std::optional<std::string> asked = denied_.Take(seen)) {
    const wire::Message& answer = *seen.message;
    const bool error = answer.kind == wire::Kind::kError;
    if (!error || answer.error_code != code_) {
      Violation violation = CheckReport::Of("", seen);
      violation.pointer = !error              ? seen.result_pointer()
                          : answer.error_code ? "/error/code"
                                              : "/error";
      violation.expected = "error " + std::to_string(*code_) + " to " + *asked;
      violation.got = !error              ? "a result"
                      : answer.error_code ? std::to_string(*answer.error_code)
                                          : "an error without a code";
      report->Add(std::move(violation), *rule_);
    }
  }
  // After Judge: a grant in a request applies from the next message on.
  for (Grant* grant : grants_) grant->Learn(seen);
}

bool DenialRule::ReadsOnly(const Observed& seen, RuleReads* reads) const {
  const bool answer = seen.message->IsAnswer();
  if (answer && code_) return false;
  if ((!answer || judges_answers_) && !AddJudged(seen, reads)) return false;
  for (const Grant* grant : grants_) grant->AddRead(seen, reads);
  reads->state |= !reads->parts.empty();
  return true;
}

uint64_t DenialRule::state() const {
  uint64_t changes = changes_;
  for (const Grant* grant : grants_) changes += grant->changes();
  return changes;
}

void DenialRule::OnSessionEnd(bool, CheckReport*) {
  denied_.Clear();
  ForgetMore();
  for (Grant* grant : grants_) grant->Forget();
}

}  // namespace midwire::check
