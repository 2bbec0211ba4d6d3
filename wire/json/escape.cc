#include "wire/json/escape.h"

#include "wire/json/ascii.h"
#include "wire/json/columns.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace midwire::wire {
namespace {

// Sorted. A table, so that it can be compared with the Unicode charts.
constexpr CodeRange kHostile[] = {
    {0x0000, 0x001f},    // C0
    {0x007f, 0x009f},    // DEL, C1
    {0x00ad, 0x00ad},    // soft hyphen: invisible
    {0x034f, 0x034f},    // combining grapheme joiner: invisible
    {0x061c, 0x061c},    // Arabic letter mark
    {0x115f, 0x1160},    // Hangul fillers: invisible letters
    {0x180e, 0x180e},    // Mongolian vowel separator
    {0x200b, 0x200f},    // zero width space and joiners, directional marks
    {0x2010, 0x2011},    // hyphens that look like that of ASCII, but spell no header
    {0x2028, 0x202e},    // line and paragraph separators, bidirectional embeddings and overrides
    {0x2060, 0x206f},    // word joiner, invisible operators, isolates, deprecated format characters
    {0x3164, 0x3164},    // Hangul filler
    {0xfdd0, 0xfdef},    // noncharacters: no text has them, and parsers refuse some
    {0xfeff, 0xfeff},    // byte order mark
    {0xfff9, 0xfffb},    // interlinear annotation
    {0xe0000, 0xe0fff},  // tags and other invisible characters
};

void AppendEscape(const Character& character, std::string* out) {
  switch (character.code) {
    case '\n':
      *out += "\\n";
      return;
    case '\r':
      *out += "\\r";
      return;
    case '\t':
      *out += "\\t";
      return;
  }
  if (!character.valid || character.code < 0x80) {
    *out += "\\x";
    AppendHex(character.code, 2, out);
  } else if (character.code <= 0xffff) {
    *out += "\\u";
    AppendHex(character.code, 4, out);
  } else {
    *out += "\\U";
    AppendHex(character.code, 8, out);
  }
}

}  // namespace

bool IsHostile(uint32_t code) {
  if (code >= 0x20 && code < 0x7f) return false;
  const bool ends_plane = (code & 0xfffe) == 0xfffe;  // noncharacters too: U+FFFE, U+1FFFF
  return ends_plane || IsIn(kHostile, code);
}

size_t PlainPrefix(std::string_view text) {
  size_t at = 0;
#if defined(__SSE2__)
  // Signed compares: bytes above 0x7f are negative, so that "above 0x1f" leaves them out.
  const __m128i low = _mm_set1_epi8(0x1f), del = _mm_set1_epi8(0x7f);
  for (; text.size() - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const __m128i plain = _mm_and_si128(_mm_cmpgt_epi8(bytes, low), _mm_cmplt_epi8(bytes, del));
    const int odd = _mm_movemask_epi8(plain) ^ 0xffff;
    if (odd != 0) return at + __builtin_ctz(odd);
  }
#endif
  while (at < text.size() && text[at] >= 0x20 && text[at] < 0x7f) ++at;
  return at;
}

void AppendEscaped(std::string_view text, std::string* out) {
  while (true) {
    const size_t plain = PlainPrefix(text);
    out->append(text.data(), plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    const Character character = FirstCharacter(text);
    if (!character.valid || IsHostile(character.code)) {
      AppendEscape(character, out);
    } else {
      out->append(text.data(), character.length);
    }
    text.remove_prefix(character.length);
  }
}

std::string Escaped(std::string_view text) {
  std::string out;
  AppendEscaped(text, &out);
  return out;
}

void AppendEscapedLines(std::string_view text, std::string_view indent, std::string* out) {
  while (true) {
    const size_t plain = PlainPrefix(text);
    out->append(text.data(), plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    if (text.starts_with("\r\n")) text.remove_prefix(1);
    const Character character = FirstCharacter(text);
    if (character.code == '\n') {
      *out += '\n';
      *out += indent;
    } else if (character.code == '\t') {
      *out += '\t';
    } else if (!character.valid || IsHostile(character.code)) {
      AppendEscape(character, out);
    } else {
      out->append(text.data(), character.length);
    }
    text.remove_prefix(character.length);
  }
}

}  // namespace midwire::wire
