// Bytes in JSON: a string where they are UTF-8, {"base64":"..."} where not. How events and
// cassettes hold bytes that need not be text (arguments, paths, headers, junk, stderr).
#pragma once

#include <string>
#include <string_view>

namespace midwire::wire {

void AppendBytesJson(std::string_view bytes, std::string* out);
// The inverse, from the JSON text of the value; appends. False: neither of the two forms.
bool DecodeBytesJson(std::string_view json, std::string* out);

// RFC 4648, clause 4, padded. Decoding is strict: no blanks, no missing padding, nothing after it.
void AppendBase64(std::string_view bytes, std::string* out);
bool DecodeBase64(std::string_view text, std::string* out);  // appends

}  // namespace midwire::wire
