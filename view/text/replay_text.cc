#include <algorithm>

#include "view/text/append.h"
#include "view/text/folded.h"
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

// A run is compared with what is expected; of two traces, neither is.
struct Words {
  std::string_view expected, got;           // before a value
  std::string_view got_below;               // the same, as wide as `expected`
  std::string_view missing;                 // above the messages that did not come
  std::string_view extra;                   // above those that are not recorded; "": no group
  std::string_view closest;                 // before the number of a recording
  std::string_view is_new, gone, from, to;  // before the index of an item
  std::string_view order;                   // of as many items
  std::string_view replaced, recorded;      // above values, and before the recorded one
};
constexpr Words kRunWords = {.expected = "expected ",
                             .got = "got ",
                             .got_below = "got      ",
                             .missing = "recorded, but not received\n",
                             .extra = "",
                             .closest = "closest recording: ",
                             .is_new = " is new at ",
                             .gone = " is gone from ",
                             .from = " moved from ",
                             .to = " to ",
                             .order = ", not the recorded ones in their order",
                             .replaced = "replaced by live values\n",
                             .recorded = ", recorded as "};
constexpr Words kDiffWords = {.expected = "A has ",
                              .got = "B has ",
                              .got_below = "B has ",
                              .missing = "in A, but not in B\n",
                              .extra = "in B, but not in A\n",
                              .closest = "closest in A: A",
                              .is_new = " is only in B, at ",
                              .gone = " is only in A, at ",
                              .from = " moved from ",
                              .to = " in A to ",
                              .order = ", not those of A in their order",
                              .replaced = "values of A that are others in B\n",
                              .recorded = ", in A "};

bool IsDiff(const ReportContext& context) { return context.verb == "diff"; }
// In diff, nothing was awaited.
std::string_view NameOf(DifferenceKind kind, const ReportContext& context) {
  if (!IsDiff(context)) return Name(kind);
  if (kind == DifferenceKind::kMissing) return "only in A";
  return kind == DifferenceKind::kExtra ? "only in B" : Name(kind);
}
const Words& WordsOf(const ReportContext& context) {
  return IsDiff(context) ? kDiffWords : kRunWords;
}

// "/result/n: expected 1, got 2", on three lines if it does not fit on one.
template <typename Values>  // a Difference, or an ItemChange
void AppendValues(const Values& item, const Words& words, const Style& style, std::string* out) {
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
                      words.expected.size() + words.got.size() + std::string_view(": , ").size();
  const bool one_line = used <= width;
  *out += kIndent;
  AppendPainted(pointer, Paint::kBold, style, out);
  if (!pointer.empty()) {
    *out += one_line ? ": " : "\n";
    if (!one_line) *out += kIndent;
  }
  if (!expected.empty()) {
    *out += words.expected;
    *out += expected;
  }
  if (both && one_line) *out += ", ";
  if (both && !one_line) {
    *out += '\n';
    *out += kIndent;
  }
  if (!got.empty()) {
    *out += both && !one_line ? words.got_below : words.got;
    *out += got;
  }
  *out += '\n';
}

// "/result/tools: expected 3 items, got 4", and a line for each that changed.
void AppendChanges(const trace::ItemChanges& items, const Words& words, const Style& style,
                   std::string* out) {
  using What = trace::ItemChange::What;
  *out += kIndent;
  AppendPainted(CutToColumns(items.pointer, kMaxPointerColumns), Paint::kBold, style, out);
  const bool same = items.recorded == items.came;
  *out += ": ";
  if (!same) *out += words.expected;
  *out += wire::Counted(items.recorded, "item");
  if (same) {
    *out += words.order;
  } else {
    *out += ", ";
    *out += words.got;
    *out += std::to_string(items.came);
  }
  *out += '\n';
  for (const trace::ItemChange& change : items.first) {
    if (change.what == What::kDiffers) {
      AppendValues(change, words, style, out);
      continue;
    }
    *out += kIndent;
    wire::AppendEscaped(change.item, out);
    const auto index = [&](std::string_view before, uint64_t value) {
      *out += before;
      *out += std::to_string(value);
    };
    if (change.what == What::kNew) index(words.is_new, change.at);
    if (change.what == What::kGone) index(words.gone, change.from);
    if (change.what == What::kMoved) {
      index(words.from, change.from);
      index(words.to, change.at);
    }
    *out += '\n';
  }
  if (items.count > items.first.size()) {
    *out += kIndent;
    *out += "and " + wire::Counted(items.count - items.first.size(), "more change") + "\n";
  }
}

void AppendItems(const ReplayReport& report, const ReportContext& context, const Style& style,
                 std::string* out) {
  const Words& words = WordsOf(context);
  const auto heading = [&](const Difference& item) -> std::string_view {
    if (item.difference == DifferenceKind::kMissing) return words.missing;
    return item.difference == DifferenceKind::kExtra ? words.extra : "";
  };
  for (const Difference& item : report.differences) {
    if (heading(item).empty()) AppendReplayItem(item, context, style, out);
  }
  for (const std::string_view group : {words.missing, words.extra}) {
    bool first = true;
    for (const Difference& item : report.differences) {
      if (group.empty() || heading(item) != group) continue;
      if (first && !out->empty()) *out += '\n';
      if (first) AppendPainted(group, Paint::kBold, style, out);
      first = false;
      AppendReplayItem(item, context, style, out);
    }
  }
  if (report.difference_count > report.differences.size()) {
    *out += "and " +
            wire::Counted(report.difference_count - report.differences.size(), "more difference") +
            "\n";
  }
}

void AppendBindings(const ReplayReport& report, const Words& words, const Style& style,
                    std::string* out) {
  bool first = true;
  for (const BindingUse& use : report.bindings) {
    if (!use.replaced) continue;
    if (first && !out->empty()) *out += '\n';
    if (first) AppendPainted(words.replaced, Paint::kBold, style, out);
    first = false;
    const size_t start = out->size();
    wire::AppendEscaped(use.name, out);
    PadRight(start, kNumber, out);
    *out += ' ' + CutToColumns(use.from, kMaxPointerColumns) + " -> " +
            CutToColumns(use.to, kMaxPointerColumns);
    *out += use.renamed ? ", renamed from " : words.recorded;
    *out += wire::Escaped(use.recorded) + "\n";
  }
}

void AppendAlso(const Difference& item, std::string* out) {
  for (size_t i = 0; i < item.also.size(); ++i) {
    *out += (i == 0 ? "; also at " : ", ") + wire::Escaped(item.also[i]);
  }
  if (const uint64_t more = item.also_count - item.also.size(); more > 0) {
    *out += " and " + wire::Counted(more, "other place");
  }
}

}  // namespace

void AppendReplayItem(const Difference& item, const ReportContext& context, const Style& style,
                      std::string* out) {
  const Words& words = WordsOf(context);
  size_t start = 0;
  const auto number = [&](std::string_view trace, uint32_t value) {
    start = out->size();
    *out += value != 0 ? std::string(trace) + std::to_string(value) : "-";
    PadLeft(start, kNumber, out);
    *out += ' ';
  };
  number(IsDiff(context) ? "A" : "", item.frame);
  if (IsDiff(context)) number("B", item.other);
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
  AppendPainted(NameOf(item.difference, context), Paint::kRed, style, out);
  if (!item.text.empty()) *out += ": " + wire::Escaped(item.text);
  AppendAlso(item, out);
  *out += '\n';
  if (item.items.count != 0) {
    AppendChanges(item.items, words, style, out);
  } else {
    AppendValues(item, words, style, out);
  }
  if (item.closest != 0) {
    *out += kIndent;
    *out += words.closest;
    *out += std::to_string(item.closest);
    *out += '\n';
  }
}

bool IsOfProcess(DifferenceKind kind) {
  return kind == DifferenceKind::kEnded || kind == DifferenceKind::kHung ||
         kind == DifferenceKind::kJunk || kind == DifferenceKind::kFraming;
}

bool IsHang(const Difference& item) { return item.difference == DifferenceKind::kHung; }

std::string VerdictOf(const ReplayReport& report, const ReportContext& context) {
  const bool diff = IsDiff(context);
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
  AppendItems(report, context, style, &text);
  AppendBindings(report, WordsOf(context), style, &text);
  if (!text.empty()) text += '\n';
  for (const std::string& note : report.notes) text += "note: " + wire::Escaped(note) + "\n";
  if (!context.head.dialect.empty()) {
    text += "dialect: " + wire::Escaped(context.head.Name());
    if (!context.other.dialect.empty()) text += "; B: " + wire::Escaped(context.other.Name());
    text += '\n';
  }
  if (!context.ending.empty()) {
    const bool killed = context.ending.starts_with("signal ") &&
                        std::any_of(report.differences.begin(), report.differences.end(), IsHang);
    text += "ended: " + wire::Escaped(context.ending) +
            (killed ? ", by midwire: the plugin hung\n" : "\n");
  }
  std::string verdict;
  AppendFolded(VerdictOf(report, context), 0, 0, style.width, &verdict);
  AppendPainted(verdict, report.same() ? Paint::kGreen : Paint::kRed, style, &text);
  *out += text + '\n';
}

}  // namespace midwire::view
