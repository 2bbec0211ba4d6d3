// Base64 (RFC 4648, clause 4, padded) for bytes that are not UTF-8. Used by events and cassettes.
// Decoding is strict: no blanks, no missing padding, nothing after it.
#pragma once

#include <string>
#include <string_view>

namespace midwire::trace {

void AppendBase64(std::string_view bytes, std::string* out);
bool DecodeBase64(std::string_view text, std::string* out);  // appends; false: not base64

}  // namespace midwire::trace
