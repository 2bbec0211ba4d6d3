#include "view/text/table.h"

#include <algorithm>

#include "view/text/append.h"

namespace midwire::view {
namespace {

constexpr size_t kGap = 2;

// Of the columns that are there.
size_t TotalWidth(const std::vector<size_t>& widths) {
  size_t total = 0, count = 0;
  for (const size_t width : widths) {
    total += width;
    count += width != 0;
  }
  return total + kGap * (count - std::min<size_t>(count, 1));
}

// What of the path is behind the ellipsis.
std::string_view EndOfPath(std::string_view path, size_t columns) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return ColumnsOf(name) <= columns ? name : LastColumns(path, columns - columns / 2);
}

void AppendCell(const TableColumn& column, std::string_view text, size_t width, bool last,
                std::string* out) {
  const size_t start = out->size();
  if (ColumnsOf(text) <= width) {
    *out += text;
  } else if (column.path) {
    const std::string_view end = EndOfPath(text, width - 1);
    *out += text.substr(0, PrefixOfColumns(text, width - 1 - ColumnsOf(end)));
    *out += kEllipsis;
    *out += end;
  } else {
    *out += text.substr(0, PrefixOfColumns(text, width - 1));
    *out += kEllipsis;
  }
  if (column.number) {
    PadLeft(start, width, out);
  } else if (!last) {
    PadRight(start, width, out);
  }
}

}  // namespace

std::vector<size_t> FitColumns(const std::vector<TableColumn>& columns, std::vector<size_t> widths,
                               size_t width) {
  if (width == 0) return widths;
  std::vector<size_t> least = widths;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].least != 0) least[i] = std::min(widths[i], columns[i].least);
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].path) least[i] = std::min(least[i], width);
  }
  while (TotalWidth(least) > width) {
    size_t goes = columns.size();
    for (size_t i = 0; i < columns.size(); ++i) {
      if (least[i] == 0 || columns[i].rank == 0) continue;
      if (goes == columns.size() || columns[i].rank > columns[goes].rank) goes = i;
    }
    if (goes == columns.size()) break;
    least[goes] = widths[goes] = 0;
  }
  // The columns that may be cut share what is missing, the widest first.
  for (size_t total = TotalWidth(widths); total > width; --total) {
    size_t widest = columns.size();
    for (size_t i = 0; i < columns.size(); ++i) {
      if (widths[i] > least[i] && (widest == columns.size() || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    if (widest == columns.size()) break;
    --widths[widest];
  }
  return widths;
}

std::vector<size_t> WidthsOf(const std::vector<TableColumn>& columns,
                             const std::vector<TableRow>& rows) {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns.size(); ++i) {
    size_t width = std::max<size_t>(ColumnsOf(columns[i].name), 1);
    for (const TableRow& row : rows) {
      if (i < row.size()) width = std::max(width, ColumnsOf(row[i].text));
    }
    widths.push_back(width);
  }
  return widths;
}

void AppendTable(const std::vector<TableColumn>& columns, const std::vector<TableRow>& rows,
                 const Style& style, std::string* out) {
  const std::vector<size_t> widths = FitColumns(columns, WidthsOf(columns, rows), style.width);
  size_t last = columns.size();
  while (last > 0 && widths[last - 1] == 0) --last;
  *out += PaintOn(style, Paint::kBold);
  std::string_view gap;
  for (size_t i = 0; i < last; ++i) {
    if (widths[i] == 0) continue;
    *out += gap;
    AppendCell(columns[i], columns[i].name, widths[i], i + 1 == last, out);
    gap = "  ";
  }
  *out += PaintOff(style, Paint::kBold);
  *out += '\n';
  for (const TableRow& row : rows) {
    gap = "";
    for (size_t i = 0; i < std::min(last, row.size()); ++i) {
      if (widths[i] == 0) continue;
      *out += gap;
      *out += PaintOn(style, row[i].paint);
      AppendCell(columns[i], row[i].text, widths[i], i + 1 == std::min(last, row.size()), out);
      *out += PaintOff(style, row[i].paint);
      gap = "  ";
    }
    *out += '\n';
  }
}

}  // namespace midwire::view
