// Tokens for secrets that are known in full: what replaces them in a redacted trace. Called by
// Secrets (secrets.h); the recorder, which never has the whole secret, uses Redactor instead.
// Without the key, which is never stored, a token reveals only its secret's length and the
// characters that stay.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::trace::redact {

using TokenKey = std::array<uint8_t, 16>;

// The length in bytes of the first character of `text`, which is not empty. A lone surrogate's
// three bytes (as StringValue writes it) are one character; a byte that belongs to none counts as
// one.
size_t CharacterLength(std::string_view text);

// Whether `text` is a JSON number.
bool IsNumber(std::string_view text);

// How much of a value its token keeps. A form after kFree is chosen only where a schema refuses the
// tokens of the form before it.
enum class TokenForm : uint8_t {
  kFree,     // nothing, except the characters that stay and a known format: of UUIDs,
             // dates and times, URIs, e-mail and IPv4 addresses, hex and digits
  kClasses,  // punctuation; letters and digits become others of their kind
  kPrefix,   // also what is before the first punctuation: "sk-"
  kHalf,     // also the first half
};

// As many characters as the value, each as long in UTF-8, so that it fits wherever the value is,
// also where characters are spelt as \u escapes. Of a number: digits, with its sign, point and
// exponent. Otherwise letters, digits and CJK. The characters with a two-byte JSON escape (" \ /
// and \b \f \n \r \t) stay, because nothing else has that length. `attempt` selects another token.
std::string TokenOf(std::string_view value, const TokenKey& key, uint32_t attempt = 0,
                    TokenForm form = TokenForm::kFree);

}  // namespace midwire::trace::redact
