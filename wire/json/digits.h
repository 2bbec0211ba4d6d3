// Finds digits, 16 bytes at a time where the machine has SSE2. Called for each text of a trace by
// what looks for generated values (trace/looks.h, replay/values): most texts have no digit, so that
// the slow looks are for few. Apart from scan.h, which every reader of JSON includes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
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

// Whether one of eight bytes is a digit: one that is less than ten after the first step keeps its
// top bit clear when 118 is added.
inline bool HasDigitIn(uint64_t bytes) {
  constexpr uint64_t kEach = 0x0101010101010101;
  const uint64_t above = bytes ^ ('0' * kEach);
  return ~(((above & 0x7f * kEach) + 118 * kEach) | above) & 0x80 * kEach;
}

inline bool HasDigit(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  // Blocks that overlap have all bytes.
  if (text.size() < 4) return FindDigit(at, end) != end;
  if (text.size() < 8) {
    uint32_t first, last;
    std::memcpy(&first, at, sizeof first);
    std::memcpy(&last, end - sizeof last, sizeof last);
    return HasDigitIn(uint64_t{first} << 32 | last);
  }
  if (text.size() <= 16) {
    uint64_t first, last;
    std::memcpy(&first, at, sizeof first);
    std::memcpy(&last, end - sizeof last, sizeof last);
    return HasDigitIn(first) || HasDigitIn(last);
  }
#if defined(__SSE2__)
  const auto has = [](const char* from) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8(9)), above);
  };
  for (; end - at > 32; at += 32) {
    if (_mm_movemask_epi8(_mm_or_si128(has(at), has(at + 16)))) return true;
  }
  const char* const middle = std::min(at, end - 16);
  return _mm_movemask_epi8(_mm_or_si128(has(middle), has(end - 16))) != 0;
#else
  return FindDigit(at, end) != end;
#endif
}

}  // namespace midwire::wire
