#include "wire/json/columns.h"

#include <algorithm>
#include <cstdint>

#include "wire/json/escape.h"
#include "wire/json/utf8.h"

namespace midwire::wire {
namespace {

// Sorted. Coarse: blocks that terminals draw two columns wide (UAX #11), and the combining blocks.
constexpr CodeRange kWide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
                               {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                               {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
                               {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd}};
constexpr CodeRange kNarrowest[] = {{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd},
                                    {0x064b, 0x065f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
                                    {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};

size_t ColumnsOf(uint32_t code) {
  if (code < 0x300) return 1;
  return IsIn(kNarrowest, code) ? 0 : IsIn(kWide, code) ? 2 : 1;
}

}  // namespace

size_t ColumnsOf(std::string_view text) {
  size_t columns = PlainPrefix(text);
  for (text.remove_prefix(columns); !text.empty();) {
    const Character character = FirstCharacter(text);
    columns += ColumnsOf(character.code);
    text.remove_prefix(character.length);
  }
  return columns;
}

size_t PrefixOfColumns(std::string_view text, size_t columns) {
  size_t bytes = std::min(PlainPrefix(text.substr(0, columns)), columns);
  for (size_t used = bytes; bytes < text.size();) {
    const Character character = FirstCharacter(text.substr(bytes));
    used += ColumnsOf(character.code);
    if (used > columns) break;
    bytes += character.length;
  }
  return bytes;
}

void PadRight(size_t start, size_t columns, std::string* out) {
  const size_t used = ColumnsOf(std::string_view(*out).substr(start));
  if (used < columns) out->append(columns - used, ' ');
}

void PadLeft(size_t start, size_t columns, std::string* out) {
  const size_t used = ColumnsOf(std::string_view(*out).substr(start));
  if (used < columns) out->insert(start, columns - used, ' ');
}

}  // namespace midwire::wire
