#include "tools/append.h"

#include <algorithm>
#include <iterator>

#include "wire/escape.h"

namespace midwire::tools {
namespace {

// `digits` digits of value, with leading zeros.
void AppendDigits(uint64_t value, int digits, std::string* out) {
  char text[20];
  for (int i = digits; i-- > 0; value /= 10) text[i] = static_cast<char>('0' + value % 10);
  out->append(text, digits);
}

struct Range {
  uint32_t first, last;
};
// Sorted. Coarse: blocks that terminals draw two columns wide (UAX #11), and the combining blocks.
constexpr Range kWide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
                           {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                           {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
                           {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd}};
constexpr Range kNarrowest[] = {{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd},
                                {0x064b, 0x065f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
                                {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};

template <size_t n>
bool IsIn(const Range (&ranges)[n], uint32_t code) {
  const Range* range = std::lower_bound(std::begin(ranges), std::end(ranges), code,
                                        [](const Range& r, uint32_t c) { return r.last < c; });
  return range != std::end(ranges) && range->first <= code;
}

size_t ColumnsOf(uint32_t code) {
  if (code < 0x300) return 1;
  return IsIn(kNarrowest, code) ? 0 : IsIn(kWide, code) ? 2 : 1;
}

}  // namespace

void AppendSeconds(int64_t ns, std::string* out) {
  if (ns < 0) *out += '-';
  const uint64_t size = ns < 0 ? -static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  AppendNumber(size / 1'000'000'000, out);
  *out += '.';
  AppendDigits(size % 1'000'000'000 / 1000, 6, out);
}

void AppendDuration(int64_t ns, std::string* out) {
  struct Unit {
    int64_t size;
    std::string_view name;
  };
  static constexpr Unit kUnits[] = {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1000, "us"}};
  const int64_t value = std::max<int64_t>(ns, 0);
  for (const Unit& unit : kUnits) {
    if (value < unit.size) continue;
    const int64_t whole = value / unit.size;
    AppendNumber(whole, out);
    if (whole < 100) {
      *out += '.';
      const int64_t thousandths = value % unit.size * 1000 / unit.size;
      whole < 10 ? AppendDigits(thousandths / 10, 2, out) : AppendDigits(thousandths / 100, 1, out);
    }
    *out += unit.name;
    return;
  }
  AppendNumber(value, out);
  *out += "ns";
}

// Days to a date: the inverse of the civil calendar's day count (H. Hinnant, "chrono-Compatible
// Low-Level Date Algorithms").
void AppendUtc(int64_t unix_ns, std::string* out) {
  constexpr int64_t kSecond = 1'000'000'000, kDay = 86400;
  const int64_t ns = ((unix_ns % kSecond) + kSecond) % kSecond;
  const int64_t seconds = (unix_ns - ns) / kSecond;
  const int64_t clock = ((seconds % kDay) + kDay) % kDay;
  const int64_t days = (seconds - clock) / kDay + 719468;
  const int64_t era = days / 146097;  // 64-bit nanoseconds reach back to 1677 only
  const int64_t day_of_era = days - era * 146097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const int64_t month = month_from_march + (month_from_march < 10 ? 3 : -9);
  AppendDigits(year_of_era + era * 400 + (month <= 2), 4, out);
  *out += '-';
  AppendDigits(month, 2, out);
  *out += '-';
  AppendDigits(day, 2, out);
  *out += 'T';
  AppendDigits(clock / 3600, 2, out);
  *out += ':';
  AppendDigits(clock / 60 % 60, 2, out);
  *out += ':';
  AppendDigits(clock % 60, 2, out);
  *out += '.';
  AppendDigits(ns, 9, out);
  *out += 'Z';
}

void AppendGrouped(uint64_t value, std::string* out) {
  const size_t start = out->size();
  AppendNumber(value, out);
  for (size_t at = out->size(); at > start + 3; out->insert(at, 1, ',')) at -= 3;
}

size_t ColumnsOf(std::string_view text) {
  size_t columns = wire::PlainPrefix(text);
  for (text.remove_prefix(columns); !text.empty();) {
    const wire::Character character = wire::FirstCharacter(text);
    columns += ColumnsOf(character.code);
    text.remove_prefix(character.length);
  }
  return columns;
}

size_t PrefixOfColumns(std::string_view text, size_t columns) {
  size_t bytes = std::min(wire::PlainPrefix(text.substr(0, columns)), columns);
  for (size_t used = bytes; bytes < text.size();) {
    const wire::Character character = wire::FirstCharacter(text.substr(bytes));
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

}  // namespace midwire::tools
