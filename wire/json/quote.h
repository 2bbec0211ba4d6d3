// Writes JSON that is on one line and safe on a terminal: hostile characters (escape.h) are written
// as \u escapes, which a JSON reader decodes to the same. Called by JsonWriter and by code that
// writes a single string.
#pragma once

#include <string>
#include <string_view>

namespace midwire::wire {

// A JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD: code that must keep them
// writes base64 (base64.h).
void AppendJsonString(std::string_view utf8, std::string* out);
std::string JsonString(std::string_view utf8);

// JSON text that is known to be valid: line ends become blanks, hostile characters \u escapes (they
// stand in strings only).
void AppendJsonOnOneLine(std::string_view json, std::string* out);

}  // namespace midwire::wire
