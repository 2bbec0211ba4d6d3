#include "wire/json/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace midwire::wire {
namespace {

// Far below the limit of an int64, so that adding the position of the point to an exponent of so
// many digits does not overflow.
constexpr size_t kSmallDigits = 18;

bool ReadSmall(std::string_view number, int64_t* value) {
  return number.size() <= kSmallDigits && ParseNumber(number, value);
}

// Ignores points among the digits.
int CompareDigits(std::string_view a, std::string_view b) {
  for (size_t i = 0, j = 0;; ++i, ++j) {
    if (i < a.size() && a[i] == '.') ++i;
    if (j < b.size() && b[j] == '.') ++j;
    if (i == a.size() || j == b.size())
      return static_cast<int>(i < a.size()) - static_cast<int>(j < b.size());
    if (a[i] != b[j]) return a[i] < b[j] ? -1 : 1;
  }
}

// Integers in decimal, without leading zeros.
int CompareIntegers(std::string_view a, std::string_view b) {
  const bool negative = a.starts_with('-');
  if (negative != b.starts_with('-')) return negative ? -1 : 1;
  const int size = a.size() != b.size() ? (a.size() < b.size() ? -1 : 1) : a.compare(b);
  return negative ? -size : size;
}

// A number as an integer times 10^exponent, where the integer does not end in 0.
struct Scaled {
  std::string digits;
  int64_t exponent = 0;
};
std::optional<Scaled> ReadScaled(const Decimal& number) {
  const std::optional<int64_t> scale = number.Scale();
  if (!scale) return std::nullopt;
  std::string digits = number.Digits();
  const int64_t exponent = *scale - static_cast<int64_t>(digits.size());
  return Scaled{std::move(digits), exponent};
}

// `unit` has at most kSmallDigits digits, and is not 0.
bool IsExactMultiple(const Scaled& number, const Scaled& unit) {
  if (number.digits.empty()) return true;
  // What the unit would have to be multiplied with ends in 0 then, and the number does not.
  if (number.exponent < unit.exponent) return false;
  int64_t divisor = 0;
  ReadSmall(unit.digits, &divisor);
  uint64_t rest = 0;  // below 10^18: ten times that still fits
  for (const char digit : number.digits) {
    rest = (rest * 10 + static_cast<uint64_t>(digit - '0')) % static_cast<uint64_t>(divisor);
  }
  // The divisor is below 2^60, so that 60 factors of ten contain all its factors 2 and 5: further
  // ones do not change whether the rest is 0.
  const int64_t tens = std::min<int64_t>(number.exponent - unit.exponent, 60);
  for (int64_t i = 0; i < tens; ++i) rest = rest * 10 % static_cast<uint64_t>(divisor);
  return rest == 0;
}

enum class Answer : uint8_t { kNo, kYes, kUnknown };

Answer IsAboutMultiple(std::string_view number, std::string_view of) {
  double value = 0, unit = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
  std::from_chars(of.data(), of.data() + of.size(), unit);
  if (read.ec != std::errc() || unit == 0) return Answer::kUnknown;  // beyond a double's range
  const double times = value / unit;
  const bool about = std::abs(times - std::round(times)) <= 1e-9 * std::max(1.0, std::abs(times));
  return about ? Answer::kYes : Answer::kNo;
}

}  // namespace

Decimal::Decimal(std::string_view number) {
  const bool negative = number.starts_with('-');
  if (negative) number.remove_prefix(1);
  const size_t e = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, e);
  const size_t first = mantissa.find_first_not_of("0.");
  if (first == mantissa.npos) return;
  negative_ = negative;
  const size_t last = mantissa.find_last_not_of("0.");
  digits_ = mantissa.substr(first, last - first + 1);
  const size_t dot = std::min(mantissa.find('.'), mantissa.size());
  point_ = static_cast<int64_t>(dot) - static_cast<int64_t>(first);
  if (first > dot) ++point_;  // the point itself is no digit
  if (e == number.npos) return;
  const std::string_view exponent = number.substr(e + 1);
  exponent_negative_ = exponent.starts_with('-');
  const size_t start = exponent.find_first_not_of("+-0");
  if (start != exponent.npos) exponent_ = exponent.substr(start);
}

std::string Decimal::Digits() const {
  std::string digits(digits_);
  std::erase(digits, '.');
  return digits;
}

std::optional<int64_t> Decimal::Scale() const {
  if (exponent_.empty()) return point_;
  int64_t exponent = 0;
  if (!ReadSmall(exponent_, &exponent)) return std::nullopt;
  return (exponent_negative_ ? -exponent : exponent) + point_;
}

std::string Decimal::ScaleText() const {
  if (const auto scale = Scale()) return std::to_string(*scale);
  // The sum has the exponent's sign: the exponent is far larger than any position of the point.
  int64_t carry = exponent_negative_ ? -point_ : point_;
  std::string text(exponent_);
  for (size_t i = text.size(); i-- > 0 && carry != 0;) {
    int64_t digit = (text[i] - '0') + carry % 10;
    carry /= 10;
    if (digit < 0) {
      digit += 10;
      --carry;
    } else if (digit > 9) {
      digit -= 10;
      ++carry;
    }
    text[i] = static_cast<char>('0' + digit);
  }
  if (carry > 0) text.insert(0, std::to_string(carry));
  text.erase(0, text.find_first_not_of('0'));
  return (exponent_negative_ ? "-" : "") + text;
}

int Decimal::Compare(const Decimal& a, const Decimal& b) {
  const auto sign = [](const Decimal& number) {
    return number.zero() ? 0 : number.negative_ ? -1 : 1;
  };
  if (sign(a) != sign(b) || a.zero()) return sign(a) < sign(b) ? -1 : sign(a) > sign(b);
  const auto x = a.Scale(), y = b.Scale();
  int size = x && y ? (*x < *y ? -1 : *x > *y) : CompareIntegers(a.ScaleText(), b.ScaleText());
  if (size == 0) size = CompareDigits(a.digits_, b.digits_);
  return a.negative_ ? -size : size;
}

int CompareNumbers(std::string_view a, std::string_view b) {
  int64_t x = 0, y = 0;
  if (ReadSmall(a, &x) && ReadSmall(b, &y)) return x < y ? -1 : x > y;
  return Decimal::Compare(Decimal(a), Decimal(b));
}

bool SameNumber(std::string_view a, std::string_view b) {
  return a == b || Decimal::Compare(Decimal(a), Decimal(b)) == 0;
}

bool IsMultiple(std::string_view number, std::string_view of) {
  int64_t value = 0, unit = 0;
  if (ReadSmall(number, &value) && ReadSmall(of, &unit)) return value % unit == 0;
  const auto exact = ReadScaled(Decimal(number)), exact_unit = ReadScaled(Decimal(of));
  const bool known = exact && exact_unit && exact_unit->digits.size() <= kSmallDigits;
  if (known && IsExactMultiple(*exact, *exact_unit)) return true;
  if (known && exact->exponent >= 0 && exact_unit->exponent >= 0) return false;
  const Answer about = IsAboutMultiple(number, of);
  // Where neither method gives a result, no violation is reported.
  return about == Answer::kUnknown ? !known : about == Answer::kYes;
}

}  // namespace midwire::wire
