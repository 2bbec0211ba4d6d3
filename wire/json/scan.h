// Finds the next byte that matters to a JSON scanner, 16 at a time where the machine has SSE2
// (every x86-64), one at a time elsewhere. Called by JsonCursor, MessageScanner, the splitter,
// AppendJsonString and Utf8Check; reads nothing past `end`.
#pragma once

#include <cstddef>
#include <cstring>

#include "wire/json/chars.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace midwire::wire {

// Each returns the first match in [at, end), or end.

// Inside a string: one of  " \ newline.
inline const char* FindInString(const char* at, const char* end) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"'), escape = _mm_set1_epi8('\\');
  const __m128i newline = _mm_set1_epi8('\n');
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i hits =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, newline),
                     _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, escape)));
    if (const int mask = _mm_movemask_epi8(hits)) return at + __builtin_ctz(mask);
  }
#endif
  while (at != end && *at != '"' && *at != '\\' && *at != '\n') ++at;
  return at;
}

// Inside a string: one of  " \ or a control; with `high` also a byte above 0x7f.
template <bool high>
inline const char* FindStringStop(const char* at, const char* end) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"'), escape = _mm_set1_epi8('\\');
  const __m128i last_control = _mm_set1_epi8(0x1f);
  const auto stops_in = [&](const char* from) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes);
    __m128i hits = _mm_or_si128(
        controls, _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, escape)));
    if (high) hits = _mm_or_si128(hits, bytes);  // their top bit is what movemask takes
    return static_cast<unsigned>(_mm_movemask_epi8(hits));
  };
  const bool long_enough = end - at >= 16;
  for (; end - at >= 16; at += 16) {
    if (const unsigned mask = stops_in(at)) return at + __builtin_ctz(mask);
  }
  if (long_enough) {  // the last block overlaps the one before it
    const unsigned mask = stops_in(end - 16) >> (16 - (end - at));
    return mask ? at + __builtin_ctz(mask) : end;
  }
#endif
  const auto stops = [](unsigned char c) {
    return c == '"' || c == '\\' || c < 0x20 || (high && c >= 0x80);
  };
  while (at != end && !stops(static_cast<unsigned char>(*at))) ++at;
  return at;
}

// Anything but printable ASCII, or one of " \ : bytes that a JSON string must escape, or that need
// a check first.
inline const char* FindNotPlain(const char* at, const char* end) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"'), escape = _mm_set1_epi8('\\');
  const __m128i last_control = _mm_set1_epi8(0x1f), del = _mm_set1_epi8(0x7f);
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    // Signed: bytes above 0x7f are negative, so that neither comparison takes them for plain.
    const __m128i printable =
        _mm_and_si128(_mm_cmpgt_epi8(bytes, last_control), _mm_cmplt_epi8(bytes, del));
    const __m128i special =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, escape));
    const int mask = _mm_movemask_epi8(_mm_andnot_si128(special, printable)) ^ 0xffff;
    if (mask) return at + __builtin_ctz(mask);
  }
#endif
  while (at != end && IsJsonChar(*at, kJsonPlain)) ++at;
  return at;
}

// A '}' with anything but , } or ] after it, end included: where an object may end and another text
// begin on the same line. A '}' inside a string counts too.
inline const char* FindLooseClose(const char* at, const char* end) {
#if defined(__SSE2__)
  const __m128i close = _mm_set1_epi8('}'), comma = _mm_set1_epi8(','), square = _mm_set1_epi8(']');
  for (; end - at >= 17; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i next = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 1));
    const __m128i fine =
        _mm_or_si128(_mm_cmpeq_epi8(next, close),
                     _mm_or_si128(_mm_cmpeq_epi8(next, comma), _mm_cmpeq_epi8(next, square)));
    const int mask = _mm_movemask_epi8(_mm_andnot_si128(fine, _mm_cmpeq_epi8(bytes, close)));
    if (mask) return at + __builtin_ctz(mask);
  }
#endif
  for (; at != end; ++at) {
    const char next = at + 1 == end ? '\0' : at[1];
    if (*at == '}' && next != ',' && next != '}' && next != ']') break;
  }
  return at;
}

// Whole blocks of 64 bytes that are plain text without NUL: most bodies are, so that few looks
// decide for all their bytes. Returns where the first other one begins, or where less than a block
// is left.
inline const char* SkipAscii(const char* at, const char* end) {
#if defined(__SSE2__)
  for (; end - at >= 64; at += 64) {
    const __m128i* const from = reinterpret_cast<const __m128i*>(at);
    const __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1),
                  c = _mm_loadu_si128(from + 2), d = _mm_loadu_si128(from + 3);
    const __m128i all = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d));
    const __m128i least = _mm_min_epu8(_mm_min_epu8(a, b), _mm_min_epu8(c, d));
    if (_mm_movemask_epi8(_mm_or_si128(all, _mm_cmpeq_epi8(least, _mm_setzero_si128())))) break;
  }
#endif
  return at;
}

// A byte that plain text does not have: NUL or above 0x7f.
inline const char* FindNonAscii(const char* at, const char* end) {
#if defined(__SSE2__)
  const __m128i zero = _mm_setzero_si128();
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const int mask = _mm_movemask_epi8(_mm_or_si128(bytes, _mm_cmpeq_epi8(bytes, zero)));
    if (mask) return at + __builtin_ctz(mask);
  }
#endif
  while (at != end && *at != '\0' && static_cast<unsigned char>(*at) < 0x80) ++at;
  return at;
}

}  // namespace midwire::wire
