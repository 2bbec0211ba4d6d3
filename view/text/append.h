// Numbers and times as text, appended to a buffer. Called by the printers: show and stats call it a
// million times per second. Pure; no locale, no allocation beyond the buffer.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "wire/json/columns.h"

namespace midwire::view {

void AppendNumber(std::integral auto value, std::string* out) {
  char digits[24] = {};  // g++ 12 warns without (-Wmaybe-uninitialized, in a batch)
  out->append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr - digits);
}

// Seconds with six decimals, "12.345678"; the rest is cut off, not rounded.
void AppendSeconds(int64_t ns, std::string* out);

// Three digits and a unit, as the filter takes it: "912ns", "12.3us", "4.56ms", "78.9s".
void AppendDuration(int64_t ns, std::string* out);
std::string Duration(int64_t ns);

// "2026-11-21T10:49:07.123456789Z" of a Unix time; years beyond 9999 as they are.
void AppendUtc(int64_t unix_ns, std::string* out);

// 1234567 as "1,234,567".
void AppendGrouped(uint64_t value, std::string* out);
std::string Grouped(uint64_t value);

// A longer method is cut in a report; --json has all of it.
inline constexpr size_t kMaxMethodColumns = 48;
// What stands for the part of a text that is cut: one column.
inline constexpr std::string_view kEllipsis = "\u2026";
// The text escaped. If it is wider than `columns`, it is cut and ends in the ellipsis.
std::string CutToColumns(std::string_view text, size_t columns);
// The same, cut at its beginning.
std::string EndInColumns(std::string_view text, size_t columns);
// The last `columns` columns of a text, or fewer where a character has two.
std::string_view LastColumns(std::string_view text, size_t columns);

using wire::ColumnsOf;
using wire::PadLeft;
using wire::PadRight;
using wire::PrefixOfColumns;

}  // namespace midwire::view
