// Reads a text from its start to its end, and calls a sink for each token. For code that reads
// whole texts of the loose syntax (cursor.h) and need all of it: IsLooseJson, and check/'s
// PlaceValues. A cursor returns to its caller after each token and has to find out what is due;
// this one goes on from a name to its colon and its value. Copies and builds nothing and does not
// recurse.
#pragma once

#include <cstddef>
#include <string_view>

#include "wire/json/chars.h"
#include "wire/json/cursor.h"
#include "wire/json/scan.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace midwire::wire {

// The same as FindStringStop<false> in the first kShortString bytes, all of which are there: the
// index of the match, or kShortString.
inline constexpr ptrdiff_t kShortString = 16;
inline ptrdiff_t FindInShortString(const char* at) {
#if defined(__SSE2__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i last_control = _mm_set1_epi8(0x1f);
  const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes);
  const __m128i hits =
      _mm_or_si128(controls, _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                          _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
  return __builtin_ctz(_mm_movemask_epi8(hits) | 1 << kShortString);
#else
  return FindStringStop<false>(at, at + kShortString) - at;
#endif
}

// `at`: after the opening quote. As SkipJsonString, but inlined where the string is short and has
// no escape (*plain), as nearly all names and many values are.
[[gnu::always_inline]] inline const char* SkipLooseString(const char* at, const char* end,
                                                          bool* plain) {
  *plain = true;
  if (end - at >= kShortString) {
    const char* const stop = at + FindInShortString(at);
    if (stop != at + kShortString && *stop == '"') return stop + 1;
  }
  *plain = false;
  return SkipJsonString<JsonSyntax::kLoose>(at, end);
}

// Reads one loose JSON value at the beginning of the text, behind blanks. Returns where it ends, or
// null: none is there. Until that is known, calls, with the open containers around the token as
// `depth`:
//   sink.Name(from, to, plain, depth)  a member's name, with its quotes; plain: without escapes
//   sink.Scalar(from, to, depth)       a string with its quotes, a number, true, false, null
//   sink.Open(at, depth)               at an opening bracket
//   sink.Close(at, depth)              at a closing one
template <typename Sink>
[[gnu::always_inline]] inline const char* ReadLooseValue(std::string_view text, Sink* sink) {
  const char* at = text.data();
  const char* const end = at + text.size();
  char closing[kMaxLooseDepth];  // what closes the open containers; read up to `depth` only
  size_t depth = 0;
  bool named = false;  // a member comes next
  // Nearly always the byte that is due follows at once: it is looked for before blanks are.
  for (;;) {
    if (at != end && *at != '"') at = SkipJsonBlanks(at, end);
    if (at == end) return nullptr;
    if (named) {
      if (*at != '"') return nullptr;
      const char* const from = at;
      bool plain = false;
      at = SkipLooseString(at + 1, end, &plain);
      if (!at) return nullptr;
      sink->Name(from, at, plain, depth);
      if (at != end && *at != ':') at = SkipJsonBlanks(at, end);
      if (at == end || *at != ':') return nullptr;
      if (++at != end && *at != '"') at = SkipJsonBlanks(at, end);
      if (at == end) return nullptr;
    }
    if (*at == '"') {
      const char* const from = at;
      bool plain = false;
      at = SkipLooseString(at + 1, end, &plain);
      if (!at) return nullptr;
      sink->Scalar(from, at, depth);
    } else if (*at == '{' || *at == '[') {
      if (depth == kMaxLooseDepth) return nullptr;
      sink->Open(at, depth);
      const char close = *at == '{' ? '}' : ']';
      closing[depth++] = close;
      at = SkipJsonBlanks(at + 1, end);
      if (at == end) return nullptr;
      named = close == '}';
      if (*at != close) continue;
      sink->Close(at++, --depth);
    } else {
      const char* const from = at;
      at = SkipJsonScalar<JsonSyntax::kLoose>(at, end);
      if (!at) return nullptr;
      sink->Scalar(from, at, depth);
    }
    for (;;) {  // after a value
      if (depth == 0) return at;
      if (at != end && *at != ',') at = SkipJsonBlanks(at, end);
      if (at == end) return nullptr;
      if (*at == ',') break;
      if (*at != closing[depth - 1]) return nullptr;
      sink->Close(at++, --depth);
    }
    ++at;
    named = closing[depth - 1] == '}';
  }
}

// Whether the text is loose JSON, and nothing else but blanks.
template <typename Sink>
[[gnu::always_inline]] inline bool ReadLooseJson(std::string_view text, Sink* sink) {
  const char* const stop = ReadLooseValue(text, sink);
  const char* const end = text.data() + text.size();
  return stop && SkipJsonBlanks(stop, end) == end;
}

}  // namespace midwire::wire
