// Sorted tables of ranges of code points, and the search in them. Called by escape and columns. A
// table can be compared with the Unicode charts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace midwire::wire {

struct CodeRange {
  uint32_t first, last;
};

// `ranges` is sorted.
template <size_t n>
bool IsIn(const CodeRange (&ranges)[n], uint32_t code) {
  const CodeRange* range =
      std::lower_bound(std::begin(ranges), std::end(ranges), code,
                       [](const CodeRange& r, uint32_t c) { return r.last < c; });
  return range != std::end(ranges) && range->first <= code;
}

}  // namespace midwire::wire
