// Classes of bytes in JSON's grammar (RFC 8259, section 2). Used by the cursor (cursor.h), and by
// the readers that cannot use one because their text arrives in pieces: MessageScanner and
// trace/redact's Redactor. Holds no state.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace midwire::wire {

enum JsonChar : uint8_t {
  kJsonBlank = 1,     // space, tab, carriage return, line feed
  kJsonDigit = 2,     // 0-9
  kJsonHexDigit = 4,  // 0-9, a-f, A-F
  kJsonPlain = 8,     // stands for itself in a string: printable ASCII except quote and backslash
  kJsonEscape = 16,   // after a backslash: " \ / b f n r t u
  kJsonEndsScalar = 32,  // after a number, true, false or null: , } ] and blanks
  kJsonStructural =
      64,  // , : " { } [ ] and blanks: no scalar has one, whether its text is JSON or not
};

inline constexpr std::array<uint8_t, 256> kJsonChars = [] {
  std::array<uint8_t, 256> classes{};
  const auto add = [&](std::string_view bytes, unsigned what) {
    for (const char c : bytes) classes[static_cast<unsigned char>(c)] |= static_cast<uint8_t>(what);
  };
  for (int c = 0x20; c < 0x7f; ++c) classes[c] = c != '"' && c != '\\' ? kJsonPlain : 0;
  add(" \t\r\n", kJsonBlank | kJsonEndsScalar | kJsonStructural);
  add(",}]", kJsonEndsScalar | kJsonStructural);
  add(":\"{[", kJsonStructural);
  add("0123456789", kJsonDigit | kJsonHexDigit);
  add("abcdefABCDEF", kJsonHexDigit);
  add("\"\\/bfnrtu", kJsonEscape);
  return classes;
}();

constexpr bool IsJsonChar(char c, unsigned classes) {
  return (kJsonChars[static_cast<unsigned char>(c)] & classes) != 0;
}
constexpr bool IsJsonBlank(char c) { return IsJsonChar(c, kJsonBlank); }
constexpr bool EndsJsonScalar(char c) { return IsJsonChar(c, kJsonEndsScalar); }

inline const char* SkipJsonBlanks(const char* at, const char* end) {
  while (at != end && IsJsonBlank(*at)) ++at;
  return at;
}

}  // namespace midwire::wire
