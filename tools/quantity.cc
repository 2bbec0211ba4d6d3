#include "tools/quantity.h"

#include <cstdlib>
#include <string_view>

namespace midwire::tools {
namespace {

struct Unit {
  const char* name;
  double factor;
};
constexpr Unit kTimeUnits[] = {{"s", 1e9},    {"ms", 1e6},   {"us", 1e3},   {"m", 60e9},
                               {"min", 60e9}, {"h", 3600e9}, {"d", 86400e9}};
constexpr Unit kSizeUnits[] = {{"B", 1},       {"k", 1 << 10},   {"K", 1 << 10}, {"KiB", 1 << 10},
                               {"M", 1 << 20}, {"MiB", 1 << 20}, {"G", 1 << 30}, {"GiB", 1 << 30}};

template <size_t kCount>
std::optional<int64_t> Parse(const std::string& text, const Unit (&units)[kCount]) {
  if (text.empty() || std::string("0123456789.").find(text[0]) == std::string::npos) return {};
  char* rest = nullptr;
  const double number = std::strtod(text.c_str(), &rest);
  if (*rest == '\0' && number == 0) return 0;
  for (const Unit& unit : units) {
    if (std::string_view(rest) != unit.name) continue;
    const double value = number * unit.factor;
    if (!(value >= 0 && value < 9e18)) return {};
    return static_cast<int64_t>(value);
  }
  return {};
}

}  // namespace

std::optional<int64_t> ParseTime(const std::string& text) { return Parse(text, kTimeUnits); }
std::optional<int64_t> ParseSize(const std::string& text) { return Parse(text, kSizeUnits); }

std::optional<int64_t> ParseCount(const std::string& text) {
  constexpr Unit kPlain[] = {{"", 1}};
  if (text.find('.') != std::string::npos) return {};
  return Parse(text, kPlain);
}

}  // namespace midwire::tools
