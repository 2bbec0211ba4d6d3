// Whether a word was drawn at random: for secrets that have no known shape. Called by Patterns,
// for values beside telling names (telling_names.cc), and by the audit. Pure.
#pragma once

#include <string_view>

namespace midwire::trace::redact {

// A word of at least 16 characters with letters and digits, which is not made of words, and is no
// path, URL, UUID or placeholder. Measured on base62, hex and base64 keys and on identifiers, see
// the tests.
bool IsRandomWord(std::string_view word);

// Stricter than IsRandomWord, for a word without a telling name: not hex, since digests are.
bool IsRandomKey(std::string_view word);

}  // namespace midwire::trace::redact
