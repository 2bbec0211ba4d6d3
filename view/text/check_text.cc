#include <algorithm>
#include <map>
#include <string>

#include "view/text/append.h"
#include "view/text/check_report.h"
#include "view/text/folded.h"
#include "wire/json/escape.h"

namespace midwire::view {
namespace {

using trace::Violation;
using wire::Severity;

// How many violations of one rule and method are shown: the hundredth looks like the first.
constexpr uint64_t kMaxAlike = 20;
// Where the text of a violation begins, behind its severity.
constexpr size_t kTextColumn = 14;

Paint PaintOf(Severity severity) {
  if (severity == Severity::kMust) return Paint::kRed;
  return severity == Severity::kShould ? Paint::kYellow : Paint::kDim;
}

std::string Counted(uint64_t count, std::string_view noun) {
  std::string text;
  AppendGrouped(count, &text);
  text += " " + std::string(noun);
  if (count != 1) text += "s";
  return text;
}

// The key by which violations that are not shown are counted: severity, rule and method.
std::string AlikeKey(const Violation& violation) {
  std::string key(Name(violation.severity));
  key.resize(8, ' ');
  key += violation.rule;
  if (!violation.method.empty()) key += " of " + violation.method;
  return wire::Escaped(key);
}

}  // namespace

void AppendViolationPlace(const Violation& violation, std::string* out) {
  const size_t start = out->size();
  violation.frame == 0 ? void(*out += '-') : AppendNumber(violation.frame, out);
  PadLeft(start, 5, out);
  const bool junk = violation.rule.ends_with(".junk") || violation.rule == "stdin.blank";
  if (violation.frame == 0 && !junk) {
    *out += violation.rule.starts_with("process.") ? " ** process\n" : " ** session\n";
    return;
  }
  *out += violation.direction == wire::Direction::kHostToPlugin ? " -> " : " <- ";
  const size_t kind = out->size();
  *out += junk ? "junk" : Name(violation.kind);
  if (!violation.method.empty()) {
    PadRight(kind, 13, out);
    wire::AppendEscaped(violation.method, out);
  }
  *out += '\n';
}

void AppendViolation(const Violation& violation, const Style& style, std::string* out) {
  *out += "      ";
  *out += PaintOn(style, PaintOf(violation.severity));
  const size_t start = out->size();
  *out += Name(violation.severity);
  PadRight(start, 8, out);
  *out += PaintOff(style, PaintOf(violation.severity));
  std::string sentence = wire::Escaped(violation.rule);
  if (!violation.text.empty()) sentence += ": ";
  wire::AppendEscaped(violation.text, &sentence);
  if (!violation.clause.empty()) {
    sentence += " (clause ";
    wire::AppendEscaped(violation.clause, &sentence);
    sentence += ')';
  }
  AppendFolded(sentence, kTextColumn, kTextColumn, style.width, out);
  *out += '\n';
  std::string detail = wire::Escaped(violation.pointer);
  if (!violation.item.empty()) detail += " in " + wire::Escaped(violation.item);
  const auto add = [&](std::string_view between, std::string_view word, std::string_view value) {
    if (value.empty()) return;
    if (!detail.empty()) detail += between;
    detail += word;
    wire::AppendEscaped(value, &detail);
  };
  add(": ", "expected ", violation.expected);
  add(violation.expected.empty() ? ": " : ", ", "got ", violation.got);
  if (detail.empty()) return;
  out->append(kTextColumn, ' ');
  AppendFolded(detail, kTextColumn, kTextColumn, style.width, out);
  *out += '\n';
}

bool HasCrashed(const trace::ViolationList& violations) {
  return std::ranges::any_of(violations.listed(), [](const trace::ViolationList::Listed& listed) {
    return listed.violation.rule == "process.crash";
  });
}

std::string CheckVerdict(const trace::ViolationList& violations, const CheckContext& context) {
  std::string text = violations.count(Severity::kMust) > 0 ? "broken: "
                     : HasCrashed(violations)              ? "crashed: "
                     : context.incomplete                  ? "incomplete: "
                                                           : "fine: ";
  for (const Severity severity : {Severity::kMust, Severity::kShould, Severity::kNote}) {
    AppendGrouped(violations.count(severity), &text);
    text += " " + std::string(Name(severity));
    if (severity != Severity::kNote) text += ", ";
  }
  // A note is a noun, "must" and "should" are words of clauses.
  text += violations.count(Severity::kNote) == 1 ? " in " : "s in ";
  text += Counted(context.messages, "message");
  if (context.sessions > 1) text += " of " + Counted(context.sessions, "session");
  text += ", checked against " + wire::Escaped(context.dialect);
  if (!context.revision.empty()) text += " " + wire::Escaped(context.revision);
  if (context.strict) text += " (strict)";
  if (!context.sureness.empty()) text += ", detected (" + context.sureness + ")";
  if (violations.unchecked() > 0) {
    text += "; " + Counted(violations.unchecked(), "part") + " not checked";
  }
  return text;
}

void AppendCheckText(const trace::ViolationList& violations, const CheckContext& context,
                     bool notes, const Style& style, std::string* out) {
  std::map<std::string, uint64_t> alike;
  uint64_t session = context.sessions > 1 ? 0 : 1;
  const trace::ViolationList::Listed* before = nullptr;
  for (const trace::ViolationList::Listed& listed : violations.listed()) {
    const Violation& violation = listed.violation;
    if (violation.severity == Severity::kNote && !notes) continue;
    if (++alike[AlikeKey(violation)] > kMaxAlike) continue;
    if (violation.session != session) {
      if (session != 0 && before != nullptr) *out += '\n';
      session = violation.session;
      *out += PaintOn(style, Paint::kBold);
      *out += "session ";
      AppendNumber(session, out);
      *out += PaintOff(style, Paint::kBold);
      *out += '\n';
    }
    // The violations of one message are printed below one line.
    const bool same = before != nullptr && before->violation.session == violation.session &&
                      before->violation.frame == violation.frame && violation.frame != 0 &&
                      before->violation.method == violation.method;
    if (!same) AppendViolationPlace(violation, out);
    AppendViolation(violation, style, out);
    before = &listed;
  }
  bool more = false;
  for (const auto& [key, count] : alike) {
    if (count <= kMaxAlike) continue;
    if (!more) *out += "\nand more of a kind\n";
    more = true;
    *out += "      " + key + ": ";
    AppendGrouped(count - kMaxAlike, out);
    *out += '\n';
  }
  if (violations.listed().size() < violations.count()) {
    *out += "too many to list: ";
    AppendGrouped(violations.count() - violations.listed().size(), out);
    *out += " are counted only\n";
  }
  const uint64_t hidden = notes ? 0 : violations.count(Severity::kNote);
  if (before != nullptr) *out += '\n';
  const bool bad = violations.count(Severity::kMust) > 0 || HasCrashed(violations);
  const Paint paint = bad ? Paint::kRed : Paint::kGreen;
  std::string verdict = CheckVerdict(violations, context);
  if (hidden > 0) verdict += hidden == 1 ? " (--notes shows it)" : " (--notes shows them)";
  *out += PaintOn(style, paint);
  AppendFolded(verdict, 0, 0, style.width, out);
  *out += PaintOff(style, paint);
  *out += '\n';
}

}  // namespace midwire::view
