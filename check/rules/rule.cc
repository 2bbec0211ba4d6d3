#include "check/rules/rule.h"

#include <algorithm>
#include <utility>

#include "trace/report/item_name.h"

namespace midwire::check {
namespace {

using wire::Severity;

// Longer values are cut in a violation.
constexpr size_t kMaxShown = 200;
// Pointers are kept whole, unless a peer uses member names of excessive length.
constexpr size_t kMaxPointer = 4096;

std::string Cut(std::string text, size_t most = kMaxShown) {
  if (text.size() <= most) return text;
  size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

// Objects with more members are searched each time: comparing each name would take as long.
constexpr size_t kMaxIndexed = 64;

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

const MemberIndex::Members* MemberIndex::Of(std::string_view object) {
  for (size_t i = 0; i < count_; ++i) {
    if (entries_[i].object == object.data()) {
      return entries_[i].complete ? &entries_[i].members : nullptr;
    }
  }
  if (count_ == entries_.size()) return nullptr;
  Entry& entry = entries_[count_++];
  entry.object = object.data();
  entry.complete = true;
  Members& members = entry.members;
  members.parts.clear();
  members.escapes = false;
  wire::JsonParts parts(object);
  for (wire::JsonPart part; parts.Next(&part);) {
    if (members.parts.size() == kMaxIndexed) {
      entry.complete = false;
      return nullptr;
    }
    if (part.name.find('\\') != part.name.npos) members.escapes = true;
    members.parts.push_back(part);
  }
  return &members;
}

Violation CheckReport::Of(std::string_view rule, const Observed& seen) {
  return {.rule = std::string(rule),
          .frame = seen.number(),
          .direction = seen.direction(),
          .kind = seen.kind(),
          .method = std::string(seen.method)};
}

void CheckReport::Add(Violation finding, Severity otherwise) {
  if (muted_) return;
  const auto severity = dialect_->severities.find(finding.rule);
  finding.severity = severity == dialect_->severities.end() ? otherwise : severity->second;
  if (finding.severity == Severity::kOff) return;
  if (const auto clause = dialect_->clauses.find(finding.rule);
      clause != dialect_->clauses.end() && finding.clause.empty()) {
    finding.clause = clause->second;
  }
  finding.session = session;
  finding.pointer = Cut(std::move(finding.pointer), kMaxPointer);
  Send(std::move(finding));
}

void CheckReport::Send(Violation finding) {
  if (finding.frame == number_ && !body_.empty() && named_ < kMaxNamed) {
    ++named_;
    finding.item = trace::ItemName(body_, finding.pointer);
  }
  for (const OfLog& other : kOfLog) {
    if (!of_log_ || finding.rule != other.rule) continue;
    finding.text = other.text;
    finding.severity = std::min(finding.severity, other.most);
  }
  finding.got = Cut(std::move(finding.got));
  finding.expected = Cut(std::move(finding.expected));
  std::optional<wire::Direction> needs = needs_;
  // It says that the other party has not answered.
  if (finding.rule == "lifecycle.ready") needs = Opposite(finding.direction);
  if (!needs || heard(*needs)) return sink_(finding);
  auto& waiting = waiting_[static_cast<int>(*needs)];
  if (waiting.size() < kMaxWaiting) waiting.push_back(std::move(finding));
}

void CheckReport::AddIfHeard(wire::Direction direction, Violation finding, Severity otherwise) {
  needs_ = direction;
  Add(std::move(finding), otherwise);
  needs_.reset();
}

void CheckReport::AddIfHeard(wire::Direction direction, Violation finding,
                             const wire::RuleSpec& rule) {
  needs_ = direction;
  Add(std::move(finding), rule);
  needs_.reset();
}

void CheckReport::Hear(wire::Direction direction) {
  bool& heard = heard_[static_cast<int>(direction)];
  if (heard) return;
  heard = true;
  for (const Violation& finding : std::exchange(waiting_[static_cast<int>(direction)], {})) {
    sink_(finding);
  }
}

void CheckReport::EndSession() {
  heard_ = {};
  of_log_ = bare_ = false;
  for (auto& waiting : waiting_) waiting.clear();
}

void CheckReport::Add(Violation finding, const wire::RuleSpec& rule) {
  if (muted_ || rule.severity == Severity::kOff) return;
  finding.rule = rule.id;
  finding.clause = rule.clause;
  finding.severity = rule.severity;
  if (finding.text.empty()) finding.text = rule.text;
  finding.session = session;
  finding.pointer = Cut(std::move(finding.pointer), kMaxPointer);
  Send(std::move(finding));
}

}  // namespace midwire::check
