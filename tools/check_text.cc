#include <map>
#include <string>

#include "tools/append.h"
#include "tools/check_report.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

using check::Violation;
using wire::Severity;

// Of one rule and method so many are shown: the hundredth looks like the first.
constexpr uint64_t kMaxAlike = 20;

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

// What is left out, by severity, rule and method.
std::string AlikeKey(const Violation& finding) {
  std::string key(Name(finding.severity));
  key.resize(8, ' ');
  key += finding.rule;
  if (!finding.method.empty()) key += " of " + finding.method;
  return wire::Escaped(key);
}

}  // namespace

void AppendCheckPlace(const Violation& finding, std::string* out) {
  const size_t start = out->size();
  finding.frame == 0 ? void(*out += '-') : AppendNumber(finding.frame, out);
  PadLeft(start, 5, out);
  const bool junk = finding.rule.ends_with(".junk");
  if (finding.frame == 0 && !junk) {
    *out += " ** process\n";
    return;
  }
  *out += finding.direction == wire::Direction::kHostToPlugin ? " -> " : " <- ";
  const size_t kind = out->size();
  *out += junk ? "junk" : Name(finding.kind);
  if (!finding.method.empty()) {
    PadRight(kind, 13, out);
    wire::AppendEscaped(finding.method, out);
  }
  *out += '\n';
}

void AppendCheckFinding(const Violation& finding, const Look& look, std::string* out) {
  *out += "      ";
  *out += PaintOn(look, PaintOf(finding.severity));
  const size_t start = out->size();
  *out += Name(finding.severity);
  PadRight(start, 8, out);
  *out += PaintOff(look, PaintOf(finding.severity));
  wire::AppendEscaped(finding.rule, out);
  if (!finding.text.empty()) *out += ": ";
  wire::AppendEscaped(finding.text, out);
  if (!finding.clause.empty()) {
    *out += " (clause ";
    wire::AppendEscaped(finding.clause, out);
    *out += ')';
  }
  *out += '\n';
  std::string detail = wire::Escaped(finding.pointer);
  const auto add = [&](std::string_view between, std::string_view word, std::string_view value) {
    if (value.empty()) return;
    if (!detail.empty()) detail += between;
    detail += word;
    wire::AppendEscaped(value, &detail);
  };
  add(": ", "expected ", finding.expected);
  add(finding.expected.empty() ? ": " : ", ", "got ", finding.got);
  if (!detail.empty()) *out += "              " + detail + "\n";
}

std::string CheckVerdict(const CheckFindings& findings, const CheckContext& context) {
  std::string text = findings.count(Severity::kMust) > 0 ? "broken: " : "fine: ";
  for (const Severity severity : {Severity::kMust, Severity::kShould, Severity::kNote}) {
    AppendGrouped(findings.count(severity), &text);
    text += " " + std::string(Name(severity)) + (severity == Severity::kNote ? " " : ", ");
  }
  text += "in " + Counted(context.messages, "message");
  if (context.sessions > 1) text += " of " + Counted(context.sessions, "session");
  text += ", held against " + wire::Escaped(context.dialect);
  if (context.strict) text += " (strict)";
  return text;
}

void AppendCheckText(const CheckFindings& findings, const CheckContext& context, bool notes,
                     const Look& look, std::string* out) {
  std::map<std::string, uint64_t> alike;
  uint64_t session = context.sessions > 1 ? 0 : 1;
  const CheckFindings::Listed* before = nullptr;
  for (const CheckFindings::Listed& listed : findings.listed()) {
    const Violation& finding = listed.finding;
    if (finding.severity == Severity::kNote && !notes) continue;
    if (++alike[AlikeKey(finding)] > kMaxAlike) continue;
    if (finding.session != session) {
      if (session != 0 && before != nullptr) *out += '\n';
      session = finding.session;
      *out += PaintOn(look, Paint::kBold);
      *out += "session ";
      AppendNumber(session, out);
      *out += PaintOff(look, Paint::kBold);
      *out += '\n';
    }
    // One message's findings stand below one line.
    const bool same = before != nullptr && before->finding.session == finding.session &&
                      before->finding.frame == finding.frame && finding.frame != 0 &&
                      before->finding.method == finding.method;
    if (!same) AppendCheckPlace(finding, out);
    AppendCheckFinding(finding, look, out);
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
  if (findings.listed().size() < findings.count()) {
    *out += "too many to list: ";
    AppendGrouped(findings.count() - findings.listed().size(), out);
    *out += " are counted only\n";
  }
  const uint64_t hidden = notes ? 0 : findings.count(Severity::kNote);
  if (before != nullptr) *out += '\n';
  const Paint paint = findings.count(Severity::kMust) > 0 ? Paint::kRed : Paint::kGreen;
  *out += PaintOn(look, paint);
  *out += CheckVerdict(findings, context);
  *out += PaintOff(look, paint);
  if (hidden > 0) *out += hidden == 1 ? " (--notes shows it)" : " (--notes shows them)";
  *out += '\n';
}

}  // namespace midwire::tools
