#include "check/rules/rule.h"

#include <algorithm>
#include <utility>

#include "trace/report/item_name.h"
#include "wire/json/utf8.h"

namespace midwire::check {
namespace {

using wire::Severity;

// Longer values are cut in a violation.
constexpr size_t kMaxShown = 200;
// Pointers are kept whole, unless a peer uses member names of excessive length.
constexpr size_t kMaxPointer = 4096;

// What is reported of a log in place of a fault of a party. A host that waits for an answer looks
// the same in its log, so that one is more than a note.
struct OfLog {
  std::string_view rule;
  std::string_view text;
  Severity most;
};
constexpr OfLog kOfLog[] = {
    {"answer.missing", "the log has no answer to this request", Severity::kShould},
    {"answer.known", "the log has no request that this answers", Severity::kNote},
    {"lifecycle.first", "the log does not have the first message", Severity::kNote},
    {"lifecycle.closed", "the log does not have the last message", Severity::kNote},
};

}  // namespace

Violation CheckReport::Of(std::string_view rule, const Observed& seen) {
  return {.rule = std::string(rule),
          .frame = seen.number(),
          .direction = seen.direction(),
          .kind = seen.kind(),
          .method = std::string(seen.method)};
}

Severity CheckReport::SeverityOf(std::string_view rule, Severity otherwise) const {
  if (muted_) return Severity::kOff;
  const auto own = dialect_->severities.find(rule);
  return own == dialect_->severities.end() ? otherwise : own->second;
}

void CheckReport::Add(Violation violation, Severity otherwise) {
  ++added_;
  violation.severity = SeverityOf(violation.rule, otherwise);
  if (violation.severity == Severity::kOff) return;
  if (const auto clause = dialect_->clauses.find(violation.rule);
      clause != dialect_->clauses.end() && violation.clause.empty()) {
    violation.clause = clause->second;
  }
  violation.session = session;
  violation.pointer = wire::Shortened(std::move(violation.pointer), kMaxPointer);
  reported_.insert(violation.rule);
  if (violation.rule == "params" || violation.rule == "result") refused_value_ = violation.pointer;
  Send(std::move(violation));
}

void CheckReport::Send(Violation violation) {
  if (violation.frame == number_ && !body_.empty() && named_ < kMaxNamed) {
    ++named_;
    violation.item = trace::ItemName(body_, violation.pointer);
  }
  for (const OfLog& other : kOfLog) {
    if (!of_log_ || violation.rule != other.rule) continue;
    violation.text = other.text;
    violation.severity = std::min(violation.severity, other.most);
  }
  violation.got = wire::Shortened(std::move(violation.got), kMaxShown);
  violation.expected = wire::Shortened(std::move(violation.expected), kMaxShown);
  std::optional<wire::Direction> needs = needs_;
  // It says that the other party has not answered.
  if (violation.rule == "lifecycle.ready") needs = Opposite(violation.direction);
  if (!needs || received(*needs)) return sink_(violation);
  auto& waiting = waiting_[static_cast<int>(*needs)];
  if (waiting.size() < kMaxWaiting) waiting.push_back(std::move(violation));
}

void CheckReport::AddIfReceived(wire::Direction direction, Violation violation,
                                Severity otherwise) {
  needs_ = direction;
  Add(std::move(violation), otherwise);
  needs_.reset();
}

void CheckReport::AddIfReceived(wire::Direction direction, Violation violation,
                                const wire::RuleSpec& rule) {
  needs_ = direction;
  Add(std::move(violation), rule);
  needs_.reset();
}

void CheckReport::OnReceived(wire::Direction direction) {
  bool& received = received_[static_cast<int>(direction)];
  if (received) return;
  received = true;
  for (const Violation& violation : std::exchange(waiting_[static_cast<int>(direction)], {})) {
    sink_(violation);
  }
}

void CheckReport::EndSession() {
  unanswered_.clear();
  received_ = {};
  of_log_ = bare_ = unordered_ = unopened_ = echo_ = false;
  reported_.clear();
  for (auto& waiting : waiting_) waiting.clear();
}

void CheckReport::Add(Violation violation, const wire::RuleSpec& rule) {
  ++added_;
  if (muted_ || rule.severity == Severity::kOff) return;
  violation.rule = rule.id;
  violation.clause = rule.clause;
  violation.severity = rule.severity;
  if (violation.text.empty()) {
    const wire::Json* const found = rule.json.Find("found");
    violation.text = found != nullptr ? found->text : rule.text;
  }
  violation.session = session;
  violation.pointer = wire::Shortened(std::move(violation.pointer), kMaxPointer);
  Send(std::move(violation));
}

void CheckReport::AddWrong(const Observed& seen, const wire::RuleSpec& rule, std::string pointer,
                           std::string expected, std::string got) {
  Violation violation = Of("", seen);
  violation.pointer = std::move(pointer);
  violation.expected = std::move(expected);
  violation.got = std::move(got);
  Add(std::move(violation), rule);
}

}  // namespace midwire::check
