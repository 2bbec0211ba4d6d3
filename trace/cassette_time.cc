#include <chrono>
#include <cstdio>

#include "trace/cassette_format.h"
#include "wire/json/ascii.h"
#include "wire/json/decimal.h"

namespace midwire::trace::cassette {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kDay = 86'400;

// The `count` digits of `text` at `at` as a number; -1 if they are not all digits.
int Digits(std::string_view text, size_t at, size_t count) {
  int value = -1;
  return wire::ParseNumber(text.substr(at, count), &value) ? value : -1;
}

}  // namespace

std::string FormatTime(int64_t time_ns) {
  using namespace std::chrono;
  int64_t second = time_ns / kSecond, fraction = time_ns % kSecond;
  if (fraction < 0) --second, fraction += kSecond;
  int64_t day = second / kDay, rest = second % kDay;
  if (rest < 0) --day, rest += kDay;
  year_month_day date{sys_days{days{day}}};
  char text[48];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%09dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(rest / 3600),
                static_cast<int>(rest / 60 % 60), static_cast<int>(rest % 60),
                static_cast<int>(fraction));
  return text;
}

bool ParseTime(std::string_view text, int64_t* time_ns) {
  using namespace std::chrono;
  constexpr std::string_view kShape = "0000-00-00T00:00:00.000000000Z";
  if (text.size() != kShape.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    bool digit = wire::IsDigit(text[i]);
    if (kShape[i] == '0' ? !digit : text[i] != kShape[i]) return false;
  }
  year_month_day date{year{Digits(text, 0, 4)}, month{static_cast<unsigned>(Digits(text, 5, 2))},
                      day{static_cast<unsigned>(Digits(text, 8, 2))}};
  if (!date.ok()) return false;
  int64_t second = sys_days{date}.time_since_epoch().count() * kDay + Digits(text, 11, 2) * 3600 +
                   Digits(text, 14, 2) * 60 + Digits(text, 17, 2);
  int64_t fraction = Digits(text, 20, 9);
  // Rounds up to the next second for times before 1970, so that the least int64_t does not
  // overflow.
  if (second < 0 && fraction > 0) ++second, fraction -= kSecond;
  return !__builtin_mul_overflow(second, kSecond, time_ns) &&
         !__builtin_add_overflow(*time_ns, fraction, time_ns);
}

}  // namespace midwire::trace::cassette
