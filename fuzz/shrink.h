// Removes pieces of a list while the rest still shows what is searched for: the loop of delta
// debugging, for the reducer. Of a long list whose length is what matters, the length is found by
// bisection, in some twenty tests and not in thousands. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace midwire::fuzz {

// A longer list may be needed for its length alone.
inline constexpr size_t kLongList = 256;
// Pieces of a long list that are tried first at each size: if none of them can be removed, the
// others are left. At the size of one element there are more, as it is the last one.
inline constexpr size_t kSamples = 4, kLastSamples = 16;

// The least length from `low` + 1 to `high` that shows it; `low` does not, `high` does.
// `shows(length)` is called until that is known, or known to within one part in `gap`.
template <class Shows>
size_t Bisect(size_t low, size_t high, size_t gap, const Shows& shows) {
  while (high - low > std::max<size_t>(high / gap, 1)) {
    const size_t middle = low + (high - low) / 2;
    (shows(middle) ? high : low) = middle;
  }
  return high;
}

// Halves, then quarters, down to single elements, which are repeated until none can be removed.
// `without(first, count)` tries one removal, and `spent()` ends it.
template <class Without, class Spent>
void Shrink(size_t count, const Without& without, const Spent& spent) {
  if (count > kLongList) {
    size_t left = count;
    Bisect(0, count, SIZE_MAX, [&](size_t length) {
      const bool shorter = !spent() && without(length, left - length);
      if (shorter) left = length;
      return shorter;
    });
    count = left;
  }
  for (size_t piece = (count + 1) / 2; piece > 0 && count > 0 && !spent();) {
    bool any = false;
    const auto remove = [&](size_t first, size_t end) {
      if (!without(first, end - first)) return false;
      count -= end - first;
      return any = true;
    };
    const size_t samples = piece == 1 ? kLastSamples : kSamples;
    if (count > kLongList && count / piece > samples) {
      for (size_t i = 0; i < samples && !any && !spent(); ++i) {
        const size_t first = (count - piece) / samples * i;
        remove(first, first + piece);
      }
      if (!any && piece == 1) break;
      if (!any) {
        piece /= 2;
        continue;
      }
    }
    // From the end: early messages of a session rarely depend on later ones.
    for (size_t at = count; at > 0 && !spent();) {
      const size_t first = at > piece ? at - piece : 0;
      remove(first, at);
      at = first;
    }
    if (piece == 1 && !any) break;
    piece = piece == 1 ? 1 : piece / 2;
  }
}

}  // namespace midwire::fuzz
