#include <string>

#include "tools/append.h"
#include "tools/replay_report.h"
#include "wire/escape.h"

namespace midwire::tools {
namespace {

using replay::Finding;
using replay::Item;
using replay::Report;

constexpr size_t kNumber = 5, kKind = 12, kMethod = 24;
// Below a finding; under its kind.
constexpr std::string_view kIndent = "         ";
// A method or pointer longer than this is cut: names in JSON are the peer's, of any length. --json
// has all of it.
constexpr size_t kMaxMethodColumns = 48, kMaxPointerColumns = 240;
// Where the output is no terminal: as wide as people have their windows.
constexpr size_t kUsualWidth = 100;

std::string Cut(std::string_view text, size_t columns) {
  std::string cut = wire::Escaped(text);
  if (ColumnsOf(cut) > columns) {
    cut.resize(PrefixOfColumns(cut, columns - 3));
    cut += "...";
  }
  return cut;
}

std::string Counted(uint64_t count, std::string_view noun) {
  std::string text;
  AppendNumber(count, &text);
  text += ' ';
  text += noun;
  if (count != 1) text += 's';
  return text;
}

void AppendPainted(std::string_view text, Paint paint, const Look& look, std::string* out) {
  *out += PaintOn(look, paint);
  *out += text;
  *out += PaintOff(look, paint);
}

std::string_view ArrowOf(const Item& item) {
  if (item.finding == Finding::kEnded || item.finding == Finding::kHung) return "**";
  return item.direction == wire::Direction::kHostToPlugin ? "->" : "<-";
}

std::string_view KindOf(const Item& item) {
  switch (item.finding) {
    case Finding::kEnded:
    case Finding::kHung:
      return "process";
    case Finding::kJunk:
      return "bytes";
    default:
      return wire::Name(item.kind);
  }
}

// "/result/n: expected 1, got 2", on three lines where one is too short.
void AppendValues(const Item& item, const Look& look, std::string* out) {
  const std::string pointer = Cut(item.pointer, kMaxPointerColumns);
  std::string expected = wire::Escaped(item.expected), got = wire::Escaped(item.got);
  if (pointer.empty() && expected.empty() && got.empty()) return;
  if (!pointer.empty() || (!expected.empty() && !got.empty())) {
    if (expected.empty()) expected = "nothing";
    if (got.empty()) got = "nothing";
  }
  const size_t width = look.width != 0 ? look.width : kUsualWidth;
  const bool both = !expected.empty() && !got.empty();
  const size_t used = kIndent.size() + ColumnsOf(pointer) + ColumnsOf(expected) + ColumnsOf(got) +
                      std::string_view(": expected , got ").size();
  const bool one_line = used <= width;
  *out += kIndent;
  AppendPainted(pointer, Paint::kBold, look, out);
  if (!pointer.empty()) {
    *out += one_line ? ": " : "\n";
    if (!one_line) *out += kIndent;
  }
  if (!expected.empty()) *out += "expected " + expected;
  if (both && one_line) *out += ", ";
  if (both && !one_line) {
    *out += '\n';
    *out += kIndent;
  }
  if (!got.empty()) *out += (both && !one_line ? "got      " : "got ") + got;
  *out += '\n';
}

void AppendItems(const Report& report, const Look& look, std::string* out) {
  for (const Item& item : report.items) {
    if (item.finding != Finding::kMissing) AppendReplayItem(item, look, out);
  }
  bool first = true;
  for (const Item& item : report.items) {
    if (item.finding != Finding::kMissing) continue;
    if (first && !out->empty()) *out += '\n';
    if (first) AppendPainted("recorded, and never came\n", Paint::kBold, look, out);
    first = false;
    AppendReplayItem(item, look, out);
  }
  if (report.items_in_all > report.items.size()) {
    *out += "and " + Counted(report.items_in_all - report.items.size(), "more finding") + "\n";
  }
}

void AppendBindings(const Report& report, const Look& look, std::string* out) {
  bool first = true;
  for (const replay::BindingUse& use : report.bindings) {
    if (!use.replaced) continue;
    if (first && !out->empty()) *out += '\n';
    if (first) AppendPainted("replaced by what was said this time\n", Paint::kBold, look, out);
    first = false;
    const size_t start = out->size();
    wire::AppendEscaped(use.name, out);
    PadRight(start, kNumber, out);
    *out += ' ' + Cut(use.from, kMaxPointerColumns) + " -> " + Cut(use.to, kMaxPointerColumns);
    *out += ", recorded as " + wire::Escaped(use.recorded) + "\n";
  }
}

}  // namespace

bool IsOfProcess(Finding finding) {
  return finding == Finding::kEnded || finding == Finding::kHung || finding == Finding::kJunk ||
         finding == Finding::kFraming;
}

void AppendReplayItem(const Item& item, const Look& look, std::string* out) {
  size_t start = out->size();
  if (item.frame != 0) {
    AppendNumber(item.frame, out);
  } else {
    *out += '-';
  }
  PadLeft(start, kNumber, out);
  *out += ' ';
  *out += ArrowOf(item);
  *out += ' ';
  start = out->size();
  *out += KindOf(item);
  PadRight(start, kKind, out);
  *out += ' ';
  start = out->size();
  *out += Cut(item.method, kMaxMethodColumns);
  PadRight(start, kMethod, out);
  *out += ' ';
  AppendPainted(replay::Name(item.finding), Paint::kRed, look, out);
  if (!item.text.empty()) *out += ": " + wire::Escaped(item.text);
  *out += '\n';
  AppendValues(item, look, out);
  if (item.closest != 0) {
    *out += kIndent;
    *out += "closest recording: ";
    AppendNumber(item.closest, out);
    *out += '\n';
  }
}

std::string VerdictOf(const Report& report, const ReportContext& context) {
  std::string text;
  if (report.same()) {
    if (context.verb == "diff") {
      return "same: " + Counted(report.sent + report.matched, "message") + " in both";
    }
    text = "same: " + Counted(report.sent, "message") + " sent, ";
    AppendNumber(report.matched, &text);
    return text + " received as recorded";
  }
  text = "different: " + Counted(report.items_in_all, "finding") + " (";
  if (context.verb != "diff") {
    AppendNumber(report.sent, &text);
    text += " of " + Counted(report.to_send, "message") + " sent, ";
  }
  AppendNumber(report.matched, &text);
  text += " of ";
  AppendNumber(report.expected, &text);
  text += context.verb == "diff" ? " messages the same)" : " received as recorded)";
  return text;
}

void AppendReplayText(const Report& report, const ReportContext& context, const Look& look,
                      std::string* out) {
  std::string text;
  AppendItems(report, look, &text);
  AppendBindings(report, look, &text);
  if (!text.empty()) text += '\n';
  for (const std::string& note : report.notes) text += "note: " + wire::Escaped(note) + "\n";
  if (!context.ending.empty()) text += "ended: " + wire::Escaped(context.ending) + "\n";
  AppendPainted(VerdictOf(report, context), report.same() ? Paint::kGreen : Paint::kRed, look,
                &text);
  *out += text + '\n';
}

}  // namespace midwire::tools
