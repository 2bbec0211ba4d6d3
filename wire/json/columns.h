// How many columns text takes on a terminal, and padding to a width. Called by the printers of
// tables. Pure; never queries a terminal. Text is printable UTF-8 (escape.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace midwire::wire {

// Wide East Asian characters take two columns, combining ones none.
size_t ColumnsOf(std::string_view text);
// The longest prefix of `text`, in bytes, that takes at most `columns`.
size_t PrefixOfColumns(std::string_view text, size_t columns);

// Pads with blanks what was appended since `start` to `columns`, on its right or on its left.
void PadRight(size_t start, size_t columns, std::string* out);
void PadLeft(size_t start, size_t columns, std::string* out);

}  // namespace midwire::wire
