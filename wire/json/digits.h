// Finds digits, 16 bytes at a time where the machine has SSE2. Called for each text of a trace by
// what looks for generated values (trace/looks.h, replay/values): most texts have no digit, so that
// the slow looks are for few. Apart from scan.h, which every reader of JSON includes.
#pragma once

#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace midwire::wire {

// The first digit, 0 to 9, in [at, end), or end.
inline const char* FindDigit(const char* at, const char* end) {
#if defined(__SSE2__)
  const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i above = _mm_sub_epi8(bytes, zero);  // bytes below '0' wrap around
    if (const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(above, nine), above))) {
      return at + __builtin_ctz(mask);
    }
  }
#endif
  while (at != end && (*at < '0' || *at > '9')) ++at;
  return at;
}

inline bool HasDigit(std::string_view text) {
  const char* const end = text.data() + text.size();
  return FindDigit(text.data(), end) != end;
}

}  // namespace midwire::wire
