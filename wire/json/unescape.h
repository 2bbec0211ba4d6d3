// Undoes the escapes in JSON strings (RFC 8259, section 7). Called wherever names, methods and
// values are compared or shown. Never changes bytes that are not UTF-8, or a backslash that begins
// no escape.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::wire {

struct JsonEscape {
  char32_t code = 0;  // what it stands for; of a surrogate without its other half, that surrogate
  uint8_t size = 0;   // bytes of its spelling: 2, 6, for a surrogate pair 12; 0: not an escape
};
// The escape that `text` begins with; its first byte is a backslash.
JsonEscape ReadJsonEscape(std::string_view text);
constexpr bool IsHighSurrogate(char32_t code) { return code >= 0xd800 && code < 0xdc00; }
constexpr bool IsLowSurrogate(char32_t code) { return code >= 0xdc00 && code < 0xe000; }
constexpr bool IsSurrogate(char32_t code) { return IsHighSurrogate(code) || IsLowSurrogate(code); }

// For names and methods, which come without their quotes: a lone surrogate becomes U+FFFD.
std::string Unescape(std::string_view token);

// The three below take a string with its quotes.

// A lone surrogate becomes the three bytes that UTF-8 would have for it (as CESU-8 does), so that
// nothing collides with U+FFFD.
std::string StringValue(std::string_view quoted);
// The same meaning: \/ and / are, \u0041 and A are. False for U+FFFD and an invalid byte.
bool SameString(std::string_view a, std::string_view b);
// False: not a valid JSON string, or a lone surrogate, which has no UTF-8.
bool AppendUnescaped(std::string_view quoted, std::string* out);

}  // namespace midwire::wire
