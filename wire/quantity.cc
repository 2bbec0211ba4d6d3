#include "wire/quantity.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "wire/json/decimal.h"

namespace midwire::wire {
namespace {

struct QuantityUnit {
  std::string_view name;
  double factor;
};
// view/page/scripts/20_filter.js has the same units.
constexpr QuantityUnit kDurations[] = {{"ns", 1},     {"us", 1e3},   {"\u00b5s", 1e3},
                                       {"ms", 1e6},   {"s", 1e9},    {"m", 60e9},
                                       {"min", 60e9}, {"h", 3600e9}, {"d", 86400e9}};
constexpr double kKibi = 1 << 10, kMebi = 1 << 20, kGibi = 1 << 30;
constexpr QuantityUnit kSizes[] = {{"B", 1},     {"k", kKibi},   {"K", kKibi},   {"KiB", kKibi},
                                   {"kB", 1e3},  {"M", kMebi},   {"MiB", kMebi}, {"MB", 1e6},
                                   {"G", kGibi}, {"GiB", kGibi}, {"GB", 1e9}};

template <size_t kUnits>
std::optional<int64_t> ParseQuantity(std::string_view text, const QuantityUnit (&units)[kUnits]) {
  const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  double number = 0;
  const auto [stop, error] =
      std::from_chars(text.data(), text.data() + digits, number, std::chars_format::fixed);
  if (error != std::errc() || stop != text.data() + digits) return std::nullopt;
  if (digits == text.size() && number == 0) return 0;
  for (const QuantityUnit& unit : units) {
    if (text.substr(digits) != unit.name) continue;
    const double value = std::round(number * unit.factor);
    if (value >= 9.2e18) return std::nullopt;
    return static_cast<int64_t>(value);
  }
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> ParseDuration(std::string_view text) {
  return ParseQuantity(text, kDurations);
}

std::optional<int64_t> ParseSize(std::string_view text) { return ParseQuantity(text, kSizes); }

std::optional<int64_t> ParseCount(std::string_view text) {
  int64_t count = 0;
  if (!ParseNumber(text, &count) || text.front() == '-') return std::nullopt;
  return count;
}

}  // namespace midwire::wire
