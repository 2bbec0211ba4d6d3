#include "check/checker.h"

#include <utility>

#include "check/rules/generic.h"
#include "check/rules/names.h"
#include "check/rules/types.h"
#include "wire/dialect/member_reader.h"
#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/pointer.h"
#include "wire/json/valid.h"

namespace midwire::check {
namespace {

using wire::Kind;

// The part of a cut-off message that is kept: a violation shows no more.
constexpr size_t kMaxShown = 200;

constexpr wire::Direction kDirections[] = {wire::Direction::kHostToPlugin,
                                           wire::Direction::kPluginToHost};

void FindParts(std::string_view body, Observed* seen) {
  if (body.empty() || body.front() != '{') return;
  const bool dap = seen->dap();
  wire::JsonParts parts(body);
  for (wire::JsonPart part; parts.Next(&part);) {
    if (part.name == (dap ? "\"arguments\"" : "\"params\"")) seen->params = part.value;
    if (part.name == (dap ? "\"body\"" : "\"result\"")) seen->result = part.value;
    if (part.name == "\"error\"") seen->error = part.value;
  }
  // An event of DAP has a body, too.
  if (dap && seen->kind() == Kind::kNotification) seen->params = std::exchange(seen->result, {});
}

Error NoSuchRule(const wire::Dialect& dialect, const std::string& member, const std::string& id) {
  wire::ReadSource source{
      .what = "not a dialect",
      .file = dialect.file,
      .remedy =
          "doc/dialects.md lists them; a rule of the dialect has its severity and clause itself"};
  source.Fail(PointerText(wire::Pointer{{member, id}}), "no generic rule has this name");
  return *source.error;
}

Error NameTaken(const wire::Dialect& dialect, const wire::RuleSpec& rule) {
  wire::ReadSource source{
      .what = "not a dialect",
      .file = dialect.file,
      .remedy = "give the dialect's own rule another id; /severities changes a generic one"};
  source.Fail(rule.pointer + "/id", "a generic rule has this name: \"" + rule.id + "\"");
  return *source.error;
}

}  // namespace

Result<std::unique_ptr<Checker>> Checker::Create(const wire::Dialect* dialect,
                                                 CheckReport::Sink sink) {
  for (const auto& [id, severity] : dialect->severities) {
    if (!IsGenericRule(id, *dialect)) return NoSuchRule(*dialect, "severities", id);
  }
  for (const auto& [id, clause] : dialect->clauses) {
    if (!IsGenericRule(id, *dialect)) return NoSuchRule(*dialect, "clauses", id);
  }
  std::unique_ptr<Checker> checker(new Checker(dialect, std::move(sink)));
  checker->rules_ = GenericRules(dialect);
  for (const wire::RuleSpec& spec : dialect->rules) {
    if (IsGenericRule(spec.id, *dialect)) return NameTaken(*dialect, spec);
    Result<std::unique_ptr<CheckRule>> rule = MakeRule(spec, dialect);
    if (!rule) return rule.error();
    checker->rules_.push_back(std::move(*rule));
  }
  return checker;
}

void Checker::Show(const RecordedMessage& recorded, std::string_view body) {
  const wire::Message& message = *recorded.message;
  Observed seen;
  seen.recorded = &recorded;
  seen.message = &message;
  seen.body = body;
  seen.json = recorded.frame->whole() && wire::IsLooseJson(body);
  if (seen.json) FindParts(body, &seen);
  seen.request = recorded.request ? &*recorded.request : nullptr;
  seen.method = seen.request ? std::string_view(seen.request->method) : message.method;
  seen.spec = seen.method.empty() ? nullptr : dialect_->Find(seen.method);
  for (const auto& rule : rules_) rule->OnMessage(seen, &report_);
}

void Checker::OnMessage(const RecordedMessage& recorded) {
  const std::string_view body = wire::Trimmed(recorded.frame->body());
  elements_.reset();
  if (recorded.message->kind == Kind::kBatch && recorded.frame->whole() &&
      wire::IsLooseJson(body)) {
    elements_.emplace(body);
  }
  Show(recorded, body);
}

void Checker::OnElement(const RecordedMessage& element) {
  wire::JsonPart part;
  while (elements_ && elements_->Next(&part)) {
    if (!part.value.starts_with('{')) continue;  // not classified, see MessageScanner
    return Show(element, part.value);
  }
}

void Checker::OnJunk(const RecordedJunk& junk) {
  if (junk.junk->reason != wire::JunkReason::kTruncated) return ReportJunk(junk);
  cut_off_[static_cast<int>(junk.direction)] = {
      junk.time_ns, std::string(junk.junk->bytes.substr(0, kMaxShown)), junk.junk->size};
}

void Checker::ReportJunk(const RecordedJunk& junk) {
  for (const auto& rule : rules_) rule->OnJunk(junk, &report_);
}

void Checker::ReportCutOff(wire::Direction direction) {
  std::optional<CutOff> cut_off = std::exchange(cut_off_[static_cast<int>(direction)], {});
  if (!cut_off) return;
  const wire::Junk junk = {cut_off->bytes, cut_off->size, wire::JunkReason::kTruncated};
  ReportJunk({.direction = direction, .time_ns = cut_off->time_ns, .junk = &junk});
}

void Checker::OnEvent(int64_t time_ns, const Event& event) {
  if (const auto* spawn = std::get_if<trace::SpawnEvent>(&event)) {
    spawned_ = true;
    if (spawn->part > 1) OnGap();
  } else if (const auto* end = std::get_if<trace::EndEvent>(&event)) {
    ended_ = end->next.empty();
  } else if (const auto* eof = std::get_if<trace::EofEvent>(&event)) {
    for (const wire::Direction direction : kDirections) {
      if (eof->stream == wire::Name(direction)) ReportCutOff(direction);
    }
  } else if (std::holds_alternative<trace::GapEvent>(event)) {
    for (auto& cut_off : cut_off_) cut_off.reset();
    OnGap();
  }
  for (const auto& rule : rules_) rule->OnEvent(time_ns, event, &report_);
}

void Checker::OnGap() {
  gap_ = true;
  for (const auto& rule : rules_) rule->OnGap();
}

void Checker::OnSectionEnd(const wire::Exchanges&) {
  // A trace written by hand has neither a spawn nor an end, and counts as complete.
  const bool whole = !gap_ && (ended_ || !spawned_);
  for (const wire::Direction direction : kDirections) {
    if (whole) ReportCutOff(direction);
    cut_off_[static_cast<int>(direction)].reset();
  }
  for (const auto& rule : rules_) rule->OnSessionEnd(whole, &report_);
  spawned_ = ended_ = gap_ = false;
  ++report_.session;
}

void Checker::Finish() { OnSectionEnd({}); }

}  // namespace midwire::check
