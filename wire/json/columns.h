// How many columns text takes on a terminal, and padding to a width. Called by the printers of
// tables. Pure; never queries a terminal. Text is printable UTF-8 (escape.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace midwire::wire {

// Wide East Asian characters take two columns, combining ones none.
size_t ColumnsOf(std::string_view text);
// The longest prefix of `text`, in bytes, that takes at most `columns`.
size_t PrefixOfColumns(std::string_view text, size_t columns);

// Pads with blanks what was appended since `start` to `columns`, on its right or on its left.
void PadRight(size_t start, size_t columns, std::string* out);
void PadLeft(size_t start, size_t columns, std::string* out);

// Of a sorted table, which can be compared with the Unicode charts.
struct CodeRange {
  uint32_t first, last;
};

// `ranges` is sorted. Also for escape.cc.
template <size_t n>
bool IsIn(const CodeRange (&ranges)[n], uint32_t code) {
  const CodeRange* range =
      std::lower_bound(std::begin(ranges), std::end(ranges), code,
                       [](const CodeRange& r, uint32_t c) { return r.last < c; });
  return range != std::end(ranges) && range->first <= code;
}

}  // namespace midwire::wire
