#include "view/text/call_footer.h"

#include <algorithm>
#include <utility>

#include "view/text/append.h"
#include "wire/counted.h"

namespace midwire::view {
namespace {

// Below this, a timeline has no room for a footer.
constexpr size_t kLeastRows = 6, kLeastWidth = 20;
constexpr size_t kAge = 6;
// A longer id, such as a UUID, would take the room of the method.
constexpr size_t kIdColumns = 12;

constexpr std::string_view kArrows[] = {"->", "<-"};

// One digit behind the point if there is only one before it.
void AppendAmount(double value, std::string* out) {
  const auto tenths = static_cast<uint64_t>(value * 10 + 0.5);
  if (tenths >= 100) return AppendGrouped(tenths / 10, out);
  AppendNumber(tenths / 10, out);
  if (tenths == 0) return;
  *out += '.';
  AppendNumber(tenths % 10, out);
}

void AppendByteRate(double bytes, std::string* out) {
  constexpr std::string_view kUnits[] = {" B/s", " KiB/s", " MiB/s", " GiB/s"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
  unit == 0 ? AppendNumber(static_cast<uint64_t>(bytes + 0.5), out) : AppendAmount(bytes, out);
  *out += kUnits[unit];
}

std::string SummaryLine(const FooterFacts& facts) {
  std::string line = facts.open == 0 ? "no open call" : wire::Counted(facts.open, "open call");
  for (size_t i = 0; i < facts.rates.size(); ++i) {
    line += "  ";
    line += kArrows[i];
    line += ' ';
    AppendAmount(facts.rates[i].messages, &line);
    line += "/s, ";
    AppendByteRate(facts.rates[i].bytes, &line);
  }
  return line;
}

std::string OpenCallLine(const FooterCall& call, int64_t now_ns, size_t width) {
  std::string line(kArrows[static_cast<size_t>(call.direction)]);
  line += ' ';
  const size_t start = line.size();
  if (call.since_ns == 0) {
    line += '-';
  } else {
    AppendDuration(now_ns - call.since_ns, &line);
  }
  PadLeft(start, kAge, &line);
  line += "  ";
  std::string id = call.id.empty() ? "" : "  id " + EndInColumns(call.id, kIdColumns);
  if (ColumnsOf(line) + ColumnsOf(id) + kIdColumns > width) id.clear();
  const std::string name = call.label.empty() ? call.method : call.method + "  " + call.label;
  line += CutToColumns(name, width - ColumnsOf(line) - ColumnsOf(id));
  return line + id;
}

std::string Colored(std::string_view line, Paint paint, const Style& style) {
  std::string out(PaintOn(style, paint));
  out += line;
  out += PaintOff(style, paint);
  return out;
}

}  // namespace

std::vector<std::string> FooterLines(const FooterFacts& facts, int64_t now_ns, size_t rows,
                                     const Style& style) {
  if (rows < kLeastRows || style.width < kLeastWidth) return {};
  const size_t width = style.width - 1;
  // Two thirds of the terminal are the timeline's; one line is the summary's, one is blank.
  const size_t most = std::min({kMaxFooterCalls, rows / 3 - 2, facts.calls.size()});
  std::string summary = SummaryLine(facts);
  if (most > 0 && facts.open > most) summary += "  the oldest:";
  std::vector<std::string> lines = {Colored(CutToColumns(summary, width), Paint::kDim, style)};
  for (size_t i = 0; i < most; ++i) {
    const std::string line = OpenCallLine(facts.calls[i], now_ns, width);
    lines.push_back(Colored(line, Paint::kYellow, style));
  }
  return lines;
}

}  // namespace midwire::view
