// IsLooseJson: one pass, a bit of state for each open container.
#include <bitset>
#include <cstring>

#include "wire/json_parts.h"

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

class Reader {
 public:
  explicit Reader(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  bool ReadText() {
    for (;;) {
      if (depth_ > 0 && InObject() && !ReadName()) return false;
      SkipBlanks();
      if (!At('{') && !At('[')) {
        if (!ReadScalar()) return false;
      } else {
        if (depth_ == kMaxPartsDepth) return false;
        objects_[depth_++] = *at_++ == '{';
        SkipBlanks();
        if (!At(Close())) continue;
      }
      // A value ended, or an empty container is about to.
      for (;;) {
        SkipBlanks();
        if (depth_ == 0) return at_ == end_;
        if (Take(',')) break;
        if (!Take(Close())) return false;
        --depth_;
      }
    }
  }

 private:
  bool At(char c) const { return at_ != end_ && *at_ == c; }
  bool Take(char c) {
    if (!At(c)) return false;
    ++at_;
    return true;
  }
  bool InObject() const { return objects_[depth_ - 1]; }
  char Close() const { return InObject() ? '}' : ']'; }
  void SkipBlanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }

  bool ReadName() {
    SkipBlanks();
    if (!Take('"') || !ReadString()) return false;
    SkipBlanks();
    return Take(':');
  }

  bool ReadScalar() {
    if (Take('"')) return ReadString();
    if (At('t')) return ReadWord("true");
    if (At('f')) return ReadWord("false");
    if (At('n')) return ReadWord("null");
    return ReadNumber();
  }

  bool ReadWord(std::string_view word) {
    if (static_cast<size_t>(end_ - at_) < word.size()) return false;
    if (std::memcmp(at_, word.data(), word.size()) != 0) return false;
    at_ += word.size();
    return true;
  }

  bool ReadString() {  // after the opening quote
    for (;;) {
      at_ = FindStringStop(at_, end_);
      if (Take('"')) return true;
      if (!Take('\\') || !ReadEscape()) return false;
    }
  }

  bool ReadEscape() {
    if (at_ == end_) return false;
    const char letter = *at_++;
    if (letter != 'u') {
      return letter != '\0' &&
             std::string_view("\"\\/bfnrt").find(letter) != std::string_view::npos;
    }
    for (int i = 0; i < 4; ++i) {
      if (at_ == end_ || !IsHex(*at_++)) return false;
    }
    return true;
  }

  bool ReadDigits() {
    const char* const from = at_;
    while (at_ != end_ && IsDigit(*at_)) ++at_;
    return at_ != from;
  }

  bool ReadNumber() {
    Take('-');
    if (!Take('0') && !ReadDigits()) return false;
    if (Take('.') && !ReadDigits()) return false;
    if (!Take('e') && !Take('E')) return true;
    if (!Take('-')) Take('+');
    return ReadDigits();
  }

  const char* at_;
  const char* end_;
  size_t depth_ = 0;
  std::bitset<kMaxPartsDepth> objects_;  // of the open containers; the others are arrays
};

}  // namespace

bool IsLooseJson(std::string_view text) { return Reader(text).ReadText(); }

}  // namespace midwire::wire
