// Tokens for secrets that are known as a whole: what stands in a redacted trace instead of them.
// Called by Secrets (secrets.h); the recorder, which never knows the whole, has Redactor instead.
// Without the key, which is never stored, a token tells the length of its secret and nothing else
// of it, except the characters that stay.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::wire {

using TokenKey = std::array<uint8_t, 16>;

// The bytes of the first character of `text`, which is not empty. A lone surrogate's three bytes
// (as StringValue writes it) are one character, a byte that is in none is one by itself.
size_t CharacterLength(std::string_view text);

// Whether JSON would take it for a number.
bool IsNumber(std::string_view text);

// As many characters as the value, each as long in UTF-8, so that it fits wherever the value stood,
// also where its characters were spelt as \u escapes. Of a number: digits, with its sign, point and
// exponent. Else letters, digits and CJK. The characters that JSON escapes with two (" \ / and
// \b \f \n \r \t) stay, as nothing else has that length. `attempt` chooses another one.
std::string TokenOf(std::string_view value, const TokenKey& key, uint32_t attempt = 0);

}  // namespace midwire::wire
