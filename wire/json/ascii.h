// Classes and cases of ASCII characters, whatever the locale: no other byte is in a class or has a
// case. Used by all rooms. Classes of JSON's grammar are in chars.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::wire {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsLetter(char c) { return IsLower(c) || IsUpper(c); }
constexpr bool IsAlphanumeric(char c) { return IsDigit(c) || IsLetter(c); }

constexpr char ToLower(char c) { return IsUpper(c) ? static_cast<char>(c | 0x20) : c; }
inline std::string ToLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ToLower(c);
  return lower;
}

// Equal, except for the case of letters: "Authorization" equals "authorization".
inline bool SameLetters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return ToLower(x) == ToLower(y); });
}

// The value of a hexadecimal digit; -1: it is none.
constexpr int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  c = ToLower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
constexpr bool IsHexDigit(char c) { return HexValue(c) >= 0; }

// The last `digits` hexadecimal digits of a number, in lower case.
inline void AppendHex(uint64_t number, int digits, std::string* out) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    *out += "0123456789abcdef"[(number >> shift) & 15];
  }
}

// Whether a text has no other characters. An empty one has none.
inline bool IsDigits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), IsDigit);
}
inline bool IsHexDigits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), IsHexDigit);
}

}  // namespace midwire::wire
