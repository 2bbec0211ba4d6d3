// Makes text from outside (peers, files, argv) safe to print: what could move a terminal's cursor,
// set its title, reorder or hide text becomes a visible escape. Everything that midwire prints as
// text goes through here, also into pipes, which end in terminals sooner or later. Not reversible:
// a literal "\x1b" looks like an escaped ESC; --json and --raw are exact.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/json/utf8.h"

namespace midwire::wire {

// Characters of these kinds (Unicode 15, 23.7, UAX #9, UTS #55):
//   - controls (C0, DEL, C1), line and paragraph separators, the byte order mark
//   - bidirectional overrides, isolates and marks
//   - zero-width and invisible characters, tags, noncharacters
//   - hyphens that look like that of ASCII, as in `Content\u2010Length`
bool IsHostile(uint32_t code);

// Bytes at the start of `text` that are printable ASCII: these need no escapes.
size_t PlainPrefix(std::string_view text);

// On one line: newlines and tabs are escaped too (\n, \t, \x1b, \u202e, \U000e0041; bytes that are
// not UTF-8 as \x9b).
void AppendEscaped(std::string_view text, std::string* out);
std::string Escaped(std::string_view text);

// Text of several lines: a newline stays one, and `indent` follows it; a carriage return before it
// is dropped; tabs stay.
void AppendEscapedLines(std::string_view text, std::string_view indent, std::string* out);

}  // namespace midwire::wire
