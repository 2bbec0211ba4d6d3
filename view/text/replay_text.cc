#include "view/text/append.h"
#include "view/text/replay_report.h"
#include "wire/counted.h"
#include "wire/json/escape.h"

namespace midwire::view {
namespace {

using trace::BindingUse;
using trace::Difference;
using trace::DifferenceKind;
using trace::ReplayReport;

constexpr size_t kNumber = 5, kKind = 12, kMethod = 24;
// Below a difference; under its kind.
constexpr std::string_view kIndent = "         ";
// A pointer longer than this is cut: names in JSON are the peer's, of any length. --json has all of
// it.
constexpr size_t kMaxPointerColumns = 240;
// The width for output that is not a terminal: that of a usual window.
constexpr size_t kUsualWidth = 100;

void AppendPainted(std::string_view text, Paint paint, const Style& style, std::string* out) {
  *out += PaintOn(style, paint);
  *out += text;
  *out += PaintOff(style, paint);
}

std::string_view ArrowOf(const Difference& item) {
  if (item.difference == DifferenceKind::kEnded || item.difference == DifferenceKind::kHung)
    return "**";
  return item.direction == wire::Direction::kHostToPlugin ? "->" : "<-";
}

std::string_view KindOf(const Difference& item) {
  switch (item.difference) {
    case DifferenceKind::kEnded:
    case DifferenceKind::kHung:
      return "process";
    case DifferenceKind::kJunk:
      return "bytes";
    default:
      return wire::Name(item.kind);
  }
}

// "/result/n: expected 1, got 2", on three lines if it does not fit on one.
template <typename Values>  // a Difference, or an ItemChange
void AppendValues(const Values& item, const Style& style, std::string* out) {
  std::string pointer = CutToColumns(item.pointer, kMaxPointerColumns);
  if (item.line != 0) pointer += ", line " + std::to_string(item.line);
  std::string expected = wire::Escaped(item.expected), got = wire::Escaped(item.got);
  if (pointer.empty() && expected.empty() && got.empty()) return;
  if (!pointer.empty() || (!expected.empty() && !got.empty())) {
    if (expected.empty()) expected = "nothing";
    if (got.empty()) got = "nothing";
  }
  const size_t width = style.width != 0 ? style.width : kUsualWidth;
  const bool both = !expected.empty() && !got.empty();
  const size_t used = kIndent.size() + ColumnsOf(pointer) + ColumnsOf(expected) + ColumnsOf(got) +
                      std::string_view(": expected , got ").size();
  const bool one_line = used <= width;
  *out += kIndent;
  AppendPainted(pointer, Paint::kBold, style, out);
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

// "/result/tools: expected 3 items, got 4", and a line for each that changed.
void AppendChanges(const trace::ItemChanges& items, const Style& style, std::string* out) {
  using What = trace::ItemChange::What;
  *out += kIndent;
  AppendPainted(CutToColumns(items.pointer, kMaxPointerColumns), Paint::kBold, style, out);
  const bool same = items.recorded == items.came;
  *out += same ? ": " : ": expected ";
  *out += wire::Counted(items.recorded, "item");
  *out += same ? ", not the recorded ones in their order" : ", got " + std::to_string(items.came);
  *out += '\n';
  for (const trace::ItemChange& change : items.first) {
    if (change.what == What::kDiffers) {
      AppendValues(change, style, out);
      continue;
    }
    *out += kIndent;
    wire::AppendEscaped(change.item, out);
    if (change.what == What::kNew) *out += " is new at " + std::to_string(change.at);
    if (change.what == What::kGone) *out += " is gone from " + std::to_string(change.from);
    if (change.what == What::kMoved) {
      *out += " moved from " + std::to_string(change.from);
      *out += " to " + std::to_string(change.at);
    }
    *out += '\n';
  }
  if (items.count > items.first.size()) {
    *out += kIndent;
    *out += "and " + wire::Counted(items.count - items.first.size(), "more change") + "\n";
  }
}

void AppendItems(const ReplayReport& report, const Style& style, std::string* out) {
  for (const Difference& item : report.differences) {
    if (item.difference != DifferenceKind::kMissing) AppendReplayItem(item, style, out);
  }
  bool first = true;
  for (const Difference& item : report.differences) {
    if (item.difference != DifferenceKind::kMissing) continue;
    if (first && !out->empty()) *out += '\n';
    if (first) AppendPainted("recorded, but not received\n", Paint::kBold, style, out);
    first = false;
    AppendReplayItem(item, style, out);
  }
  if (report.difference_count > report.differences.size()) {
    *out += "and " +
            wire::Counted(report.difference_count - report.differences.size(), "more difference") +
            "\n";
  }
}

void AppendBindings(const ReplayReport& report, const Style& style, std::string* out) {
  bool first = true;
  for (const BindingUse& use : report.bindings) {
    if (!use.replaced) continue;
    if (first && !out->empty()) *out += '\n';
    if (first) AppendPainted("replaced by live values\n", Paint::kBold, style, out);
    first = false;
    const size_t start = out->size();
    wire::AppendEscaped(use.name, out);
    PadRight(start, kNumber, out);
    *out += ' ' + CutToColumns(use.from, kMaxPointerColumns) + " -> " +
            CutToColumns(use.to, kMaxPointerColumns);
    *out += use.renamed ? ", renamed from " : ", recorded as ";
    *out += wire::Escaped(use.recorded) + "\n";
  }
}

}  // namespace

void AppendReplayItem(const Difference& item, const Style& style, std::string* out) {
  size_t start = out->size();
  if (item.frame != 0) {
    *out += std::to_string(item.frame);
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
  *out += CutToColumns(item.method, kMaxMethodColumns);
  PadRight(start, kMethod, out);
  *out += ' ';
  AppendPainted(Name(item.difference), Paint::kRed, style, out);
  if (!item.text.empty()) *out += ": " + wire::Escaped(item.text);
  *out += '\n';
  if (item.items.count != 0) {
    AppendChanges(item.items, style, out);
  } else {
    AppendValues(item, style, out);
  }
  if (item.closest != 0) {
    *out += kIndent;
    *out += "closest recording: ";
    *out += std::to_string(item.closest);
    *out += '\n';
  }
}

bool IsOfProcess(DifferenceKind kind) {
  return kind == DifferenceKind::kEnded || kind == DifferenceKind::kHung ||
         kind == DifferenceKind::kJunk || kind == DifferenceKind::kFraming;
}

std::string VerdictOf(const ReplayReport& report, const ReportContext& context) {
  const bool diff = context.verb == "diff";
  std::string text;
  if (report.same()) {
    if (diff) {
      return "same: " + wire::Counted(report.sent + report.matched, "message") + " in both";
    }
    text = "same: " + wire::Counted(report.sent, "message") + " sent, ";
    text += std::to_string(report.matched);
    return text + " received as recorded";
  }
  text = "different: " + wire::Counted(report.difference_count, "difference") + " (";
  if (!diff) {
    text += std::to_string(report.sent);
    text += " of " + wire::Counted(report.to_send, "message") + " sent, ";
  }
  text += std::to_string(report.matched);
  text += " of ";
  text += std::to_string(report.expected);
  text += diff ? " messages the same)" : " received as recorded)";
  return text;
}

void AppendReplayText(const ReplayReport& report, const ReportContext& context, const Style& style,
                      std::string* out) {
  std::string text;
  AppendItems(report, style, &text);
  AppendBindings(report, style, &text);
  if (!text.empty()) text += '\n';
  for (const std::string& note : report.notes) text += "note: " + wire::Escaped(note) + "\n";
  if (!context.head.dialect.empty()) {
    text += "dialect: " + wire::Escaped(context.head.Name()) + "\n";
  }
  if (!context.ending.empty()) text += "ended: " + wire::Escaped(context.ending) + "\n";
  AppendPainted(VerdictOf(report, context), report.same() ? Paint::kGreen : Paint::kRed, style,
                &text);
  *out += text + '\n';
}

}  // namespace midwire::view
