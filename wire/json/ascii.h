// Classes of ASCII characters, whatever the locale: no other byte is in one. Used by trace/redact,
// replay/shape and the regular expressions of schemas. Classes of JSON's grammar are in chars.h.
#pragma once

namespace midwire::wire {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsAlphanumeric(char c) { return IsDigit(c) || IsLower(c) || IsUpper(c); }

}  // namespace midwire::wire
