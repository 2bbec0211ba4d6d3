#include "view/text/append.h"

#include <algorithm>

#include "wire/json/escape.h"
#include "wire/json/utf8.h"

namespace midwire::view {
namespace {

// `digits` digits of value, with leading zeros.
void AppendDigits(uint64_t value, int digits, std::string* out) {
  char text[20];
  for (int i = digits; i-- > 0; value /= 10) text[i] = static_cast<char>('0' + value % 10);
  out->append(text, digits);
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
std::string Duration(int64_t ns) {
  std::string text;
  AppendDuration(ns, &text);
  return text;
}

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

std::string Grouped(uint64_t value) {
  std::string text;
  AppendGrouped(value, &text);
  return text;
}

std::string CutToColumns(std::string_view text, size_t columns) {
  std::string cut = wire::Escaped(text);
  if (ColumnsOf(cut) > columns) {
    cut.resize(PrefixOfColumns(cut, columns - std::min<size_t>(columns, 1)));
    if (columns != 0) cut += kEllipsis;
  }
  return cut;
}

std::string EndInColumns(std::string_view text, size_t columns) {
  const std::string whole = wire::Escaped(text);
  if (ColumnsOf(whole) <= columns) return whole;
  if (columns == 0) return "";
  return std::string(kEllipsis) + std::string(LastColumns(whole, columns - 1));
}

std::string_view LastColumns(std::string_view text, size_t columns) {
  // More than so many columns usually take: the loop below counts the rest again for each
  // character.
  const size_t most = 8 * columns + 64;
  if (text.size() > most) text.remove_prefix(text.size() - most);
  while (!text.empty() && wire::IsWithinCharacter(text.front())) text.remove_prefix(1);
  while (!text.empty() && ColumnsOf(text) > columns) {
    do text.remove_prefix(1);
    while (!text.empty() && wire::IsWithinCharacter(text.front()));
  }
  return text;
}

}  // namespace midwire::view
