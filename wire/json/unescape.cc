#include "wire/json/unescape.h"

#include <charconv>

namespace midwire::wire {
namespace {

// The four hex digits at `at`, or nothing.
bool Hex4(std::string_view text, size_t at, char32_t* unit) {
  if (text.size() < at + 4) return false;
  unsigned value = 0;
  const char* const from = text.data() + at;
  const auto parsed = std::from_chars(from, from + 4, value, 16);
  *unit = value;
  return parsed.ec == std::errc() && parsed.ptr == from + 4;
}

constexpr bool IsHighSurrogate(char32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
constexpr bool IsLowSurrogate(char32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }
constexpr char32_t kReplacement = 0xfffd;

}  // namespace

void AppendUtf8(char32_t c, std::string* out) {
  if (c < 0x80) {
    *out += static_cast<char>(c);
  } else if (c < 0x800) {
    *out += static_cast<char>(0xc0 | (c >> 6));
    *out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    *out += static_cast<char>(0xe0 | (c >> 12));
    *out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    *out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    *out += static_cast<char>(0xf0 | (c >> 18));
    *out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    *out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    *out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

std::string Unescape(std::string_view token) {
  static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  std::string text;
  text.reserve(token.size());
  for (size_t i = 0; i < token.size();) {
    const char next = token[i] == '\\' && i + 1 < token.size() ? token[i + 1] : '\0';
    char32_t unit = 0, low = 0;
    if (next == 'u' && Hex4(token, i + 2, &unit)) {
      i += 6;
      const bool pair = IsHighSurrogate(unit) && token.substr(i, 2) == "\\u" &&
                        Hex4(token, i + 2, &low) && IsLowSurrogate(low);
      if (pair) {
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        i += 6;
      } else if (IsHighSurrogate(unit) || IsLowSurrogate(unit)) {
        unit = kReplacement;
      }
      AppendUtf8(unit, &text);
    } else if (const size_t letter = next ? kLetters.find(next) : kLetters.npos;
               letter != kLetters.npos) {
      text += kMeanings[letter];
      i += 2;
    } else {
      text += token[i++];
    }
  }
  return text;
}

}  // namespace midwire::wire
