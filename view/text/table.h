// A table for people: columns of one width, and on a narrow terminal fewer of them, so that no line
// wraps. Called by the printers of list and stats. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "view/text/style.h"

namespace midwire::view {

struct TableColumn {
  std::string_view name;
  bool number = false;  // to the right
  // Where there is no room, the column with the highest rank goes first; 0: it stays.
  int rank = 0;
  // A text may be cut to so many columns before another column goes; 0: it is never cut.
  size_t least = 0;
  // A path: it is cut in its folder, and if that is not enough, in the middle of the file's name.
  bool path = false;
};

struct TableCell {
  std::string text;  // escaped
  Paint paint = Paint::kNone;
};
using TableRow = std::vector<TableCell>;

// The widths of the columns in a terminal of this width (0: none, nothing is cut or left out), by
// the widths of their texts. 0: the column is left out.
std::vector<size_t> FitColumns(const std::vector<TableColumn>& columns, std::vector<size_t> widths,
                               size_t width);

// The widths of the columns with all of their texts.
std::vector<size_t> WidthsOf(const std::vector<TableColumn>& columns,
                             const std::vector<TableRow>& rows);

// A heading in bold, and the rows. A row may have fewer cells than there are columns.
void AppendTable(const std::vector<TableColumn>& columns, const std::vector<TableRow>& rows,
                 const Style& style, std::string* out);

}  // namespace midwire::view
