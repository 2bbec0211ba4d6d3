// IsLooseJson: one pass, a byte of state for each open container.
#include <cstring>

#include "wire/json/parts.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace midwire::wire {
namespace {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsHex(char c) { return IsDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }
constexpr bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20; }

// The first quote, backslash or control in [at, end), or end.
const char* FindStringStop(const char* at, const char* end) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"'), escape = _mm_set1_epi8('\\');
  const __m128i last_control = _mm_set1_epi8(0x1f);
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes);
    const __m128i hits = _mm_or_si128(
        controls, _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, escape)));
    if (const int mask = _mm_movemask_epi8(hits)) return at + __builtin_ctz(mask);
  }
#endif
  while (at != end && *at != '"' && *at != '\\' && !IsControl(*at)) ++at;
  return at;
}

constexpr bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// Each reads from `at` and returns where it ends, or null. Pointers by value, not in an object:
// they stay in registers, which is twice as fast.

const char* SkipBlanks(const char* at, const char* end) {
  while (at != end && IsBlank(*at)) ++at;
  return at;
}

const char* ReadEscape(const char* at, const char* end) {  // after the backslash
  if (at == end) return nullptr;
  switch (*at++) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      return at;
    case 'u':
      if (end - at < 4) return nullptr;
      return IsHex(at[0]) && IsHex(at[1]) && IsHex(at[2]) && IsHex(at[3]) ? at + 4 : nullptr;
    default:
      return nullptr;
  }
}

const char* ReadString(const char* at, const char* end) {  // after the opening quote
  for (;;) {
    at = FindStringStop(at, end);
    if (at == end) return nullptr;
    if (*at == '"') return at + 1;
    if (*at != '\\') return nullptr;
    at = ReadEscape(at + 1, end);
    if (!at) return nullptr;
  }
}

const char* ReadDigits(const char* at, const char* end) {
  const char* const from = at;
  while (at != end && IsDigit(*at)) ++at;
  return at == from ? nullptr : at;
}

const char* ReadNumber(const char* at, const char* end) {
  if (at != end && *at == '-') ++at;
  if (at != end && *at == '0') {
    ++at;
  } else if (!(at = ReadDigits(at, end))) {
    return nullptr;
  }
  if (at != end && *at == '.' && !(at = ReadDigits(at + 1, end))) return nullptr;
  if (at == end || (*at != 'e' && *at != 'E')) return at;
  ++at;
  if (at != end && (*at == '-' || *at == '+')) ++at;
  return ReadDigits(at, end);
}

const char* ReadWord(std::string_view word, const char* at, const char* end) {
  if (static_cast<size_t>(end - at) < word.size()) return nullptr;
  return std::memcmp(at, word.data(), word.size()) == 0 ? at + word.size() : nullptr;
}

const char* ReadScalar(const char* at, const char* end) {
  switch (at == end ? '\0' : *at) {
    case '"':
      return ReadString(at + 1, end);
    case 't':
      return ReadWord("true", at, end);
    case 'f':
      return ReadWord("false", at, end);
    case 'n':
      return ReadWord("null", at, end);
    default:
      return ReadNumber(at, end);
  }
}

const char* ReadName(const char* at, const char* end) {  // with its colon
  at = SkipBlanks(at, end);
  if (at == end || *at != '"' || !(at = ReadString(at + 1, end))) return nullptr;
  at = SkipBlanks(at, end);
  return at != end && *at == ':' ? at + 1 : nullptr;
}

}  // namespace

bool IsLooseJson(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  char closes[kMaxPartsDepth + 1];  // of the open containers
  size_t depth = 0;
  closes[0] = '\0';
  for (;;) {
    if (closes[depth] == '}' && !(at = ReadName(at, end))) return false;
    at = SkipBlanks(at, end);
    if (at != end && (*at == '{' || *at == '[')) {
      if (depth == kMaxPartsDepth) return false;
      closes[++depth] = *at == '{' ? '}' : ']';
      at = SkipBlanks(at + 1, end);
      if (at == end || *at != closes[depth]) continue;
    } else if (!(at = ReadScalar(at, end))) {
      return false;
    }
    // A value ended, or an empty container is about to.
    for (;;) {
      at = SkipBlanks(at, end);
      if (depth == 0) return at == end;
      if (at == end) return false;
      const char c = *at++;
      if (c == ',') break;
      if (c != closes[depth]) return false;
      --depth;
    }
  }
}

}  // namespace midwire::wire
