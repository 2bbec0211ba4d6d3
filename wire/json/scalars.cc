// What strings and numbers mean, whatever way they are spelt.
#include <algorithm>
#include <charconv>
#include <cstdint>

#include "wire/json/parts.h"
#include "wire/json/unescape.h"

namespace midwire::wire {
namespace {

// The bytes of a string one after the other, escapes undone.
class StringBytes {
 public:
  explicit StringBytes(std::string_view quoted) : rest_(quoted.substr(1, quoted.size() - 2)) {}

  bool Next(char* byte) {
    if (given_ < undone_.size()) {
      *byte = undone_[given_++];
    } else if (rest_.empty()) {
      return false;
    } else if (rest_.front() != '\\' || rest_.size() == 1) {
      *byte = rest_.front();
      rest_.remove_prefix(1);
    } else {
      Undo();
      *byte = undone_[given_++];
    }
    return true;
  }

  // Takes the bytes up to the next escape.
  std::string_view Plain() {
    if (given_ < undone_.size()) return {};
    const std::string_view plain = rest_.substr(0, rest_.find('\\'));
    rest_.remove_prefix(plain.size());
    return plain;
  }

 private:
  static char32_t Unit(std::string_view escape) {  // \uXXXX
    unsigned unit = 0;
    if (escape.size() < 6) return 0;
    std::from_chars(escape.data() + 2, escape.data() + escape.size(), unit, 16);
    return unit;
  }

  void Undo() {
    static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    undone_.clear();
    given_ = 0;
    if (rest_[1] != 'u') {
      const size_t letter = kLetters.find(rest_[1]);
      undone_ += letter == kLetters.npos ? rest_[1] : kMeanings[letter];
      rest_.remove_prefix(2);
      return;
    }
    char32_t unit = Unit(rest_.substr(0, 6));
    rest_.remove_prefix(std::min<size_t>(6, rest_.size()));
    if (unit >= 0xd800 && unit < 0xdc00 && rest_.size() >= 6 && rest_.starts_with("\\u")) {
      const char32_t low = Unit(rest_.substr(0, 6));
      if (low >= 0xdc00 && low < 0xe000) {
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        rest_.remove_prefix(6);
      }
    }
    AppendUtf8(unit, &undone_);
  }

  std::string_view rest_;
  std::string undone_;  // at most four bytes: no allocation
  size_t given_ = 0;
};

// 0.d1d2d3... * 10^(point + exponent), d1 and the last digit not 0. All zeros: no digits.
struct Decimal {
  bool negative = false;
  std::string_view digits;  // may have the point between them
  int64_t point = 0;
  bool exponent_negative = false;
  std::string_view exponent;  // without leading zeros; empty: 0
};

Decimal Parse(std::string_view number) {
  Decimal decimal;
  if (number.starts_with('-')) {
    decimal.negative = true;
    number.remove_prefix(1);
  }
  const size_t e = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, e);
  const size_t first = mantissa.find_first_not_of("0.");
  if (first == mantissa.npos) return {};
  const size_t last = mantissa.find_last_not_of("0.");
  decimal.digits = mantissa.substr(first, last - first + 1);
  const size_t dot = std::min(mantissa.find('.'), mantissa.size());
  decimal.point = static_cast<int64_t>(dot) - static_cast<int64_t>(first);
  if (first > dot) ++decimal.point;  // the point itself is no digit
  if (e == number.npos) return decimal;
  std::string_view exponent = number.substr(e + 1);
  decimal.exponent_negative = exponent.starts_with('-');
  const size_t start = exponent.find_first_not_of("+-0");
  if (start != exponent.npos) decimal.exponent = exponent.substr(start);
  return decimal;
}

bool SameDigits(std::string_view a, std::string_view b) {
  size_t i = 0, j = 0;
  for (;;) {
    if (i < a.size() && a[i] == '.') ++i;
    if (j < b.size() && b[j] == '.') ++j;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    if (a[i++] != b[j++]) return false;
  }
}

// Exponents of so many digits fit into 64 bits, with room for a point as far as a text is long.
constexpr size_t kPlainExponent = 18;

bool IsHuge(const Decimal& decimal) { return decimal.exponent.size() > kPlainExponent; }

int64_t Scale(const Decimal& decimal) {  // of one that is not huge
  int64_t exponent = 0;
  std::from_chars(decimal.exponent.data(), decimal.exponent.data() + decimal.exponent.size(),
                  exponent);
  return (decimal.exponent_negative ? -exponent : exponent) + decimal.point;
}

// point + exponent, in decimal, of any size; two are the same when their text is.
std::string ScaleText(const Decimal& decimal) {
  if (!IsHuge(decimal)) return std::to_string(Scale(decimal));
  // The sum has the exponent's sign: it is far more than any point can take away.
  int64_t carry = decimal.exponent_negative ? -decimal.point : decimal.point;
  std::string text(decimal.exponent);
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
  return (decimal.exponent_negative ? "-" : "") + text;
}

}  // namespace

std::string StringValue(std::string_view quoted) {
  std::string value;
  value.reserve(quoted.size() - 2);
  StringBytes bytes(quoted);
  for (char byte;;) {
    value += bytes.Plain();
    if (!bytes.Next(&byte)) return value;
    value += byte;
  }
}

bool SameString(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (a.find('\\') == a.npos && b.find('\\') == b.npos) return false;
  StringBytes left(a), right(b);
  for (;;) {
    char x = 0, y = 0;
    const bool more = left.Next(&x);
    if (more != right.Next(&y) || x != y) return false;
    if (!more) return true;
  }
}

bool SameNumber(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const Decimal x = Parse(a), y = Parse(b);
  if (x.digits.empty() || y.digits.empty()) return x.digits.empty() && y.digits.empty();
  if (x.negative != y.negative || !SameDigits(x.digits, y.digits)) return false;
  if (!IsHuge(x) && !IsHuge(y)) return Scale(x) == Scale(y);
  return ScaleText(x) == ScaleText(y);
}

}  // namespace midwire::wire
