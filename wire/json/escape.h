// Makes text from outside (peers, files, argv) safe to print: what could move a terminal's cursor,
// set its title, reorder or hide text becomes a visible escape. Everything that midwire prints as
// text goes through here, also into pipes, which end in terminals sooner or later. Not reversible:
// a literal "\x1b" looks like an escaped ESC; --json and --raw tell exactly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::wire {

// One character of text that may not be UTF-8.
struct Character {
  uint32_t code = 0;   // the code point, or the byte when not valid
  uint8_t length = 1;  // bytes it takes
  bool valid = true;   // false: a byte that is not part of a UTF-8 character (RFC 3629)
};

// The first character of `text`, which must not be empty.
Character FirstCharacter(std::string_view text);

// Controls (C0, DEL, C1), bidirectional overrides, isolates and marks, zero-width and invisible
// characters, line and paragraph separators, the byte order mark, tags (Unicode 15, UAX #9, UTS
// #55).
bool IsHostile(uint32_t code);

// Bytes at the start of `text` that are printable ASCII: those need no look at all.
size_t PlainPrefix(std::string_view text);

// On one line: newlines and tabs are escaped too (\n, \t, \x1b, \u202e, \U000e0041; bytes that are
// not UTF-8 as \x9b).
void AppendEscaped(std::string_view text, std::string* out);
std::string Escaped(std::string_view text);

// Text of several lines: a newline stays one, and `indent` follows it; a carriage return before it
// goes; tabs stay.
void AppendEscapedLines(std::string_view text, std::string_view indent, std::string* out);

// JSON text that is known to be valid, on one line and safe to print: line ends become blanks,
// hostile characters become \u escapes, which mean the same (they stand in strings only).
void AppendJsonOnOneLine(std::string_view json, std::string* out);

}  // namespace midwire::wire
