// Numbers as JSON spells them, exactly: of any size, with any exponent. Never turns one into a
// double to compare it; allocates only for exponents of unusual size. Called by replay's
// comparison, the schema validator, the rules of check/ and HashValue; ParseNumber by all rooms.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace midwire::wire {

// The number that is all of `text`, as a machine has it: no blanks, no plus sign. False: it is
// none, or does not fit.
template <typename Number>
bool ParseNumber(std::string_view text, Number* to) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *to);
  return error == std::errc() && stop == end;
}

// The functions below compare the values of valid JSON numbers: 100, 1e2 and 100.0 are equal; 2^53
// and 2^53+1 differ; -0 equals 0.

// -1, 0, 1.
int CompareNumbers(std::string_view a, std::string_view b);
bool SameNumber(std::string_view a, std::string_view b);

// 1e2 is a multiple of 25, 0.3 of 0.1. A fraction may be as far off as a double's last digits,
// because peers compute with doubles: 0.30000000000000004 is a multiple of 0.1. `of` is above 0.
bool IsMultiple(std::string_view number, std::string_view of);

// A number as 0.d1d2d3... * 10^scale, where d1 and the last digit are not 0. Zero has no digits. A
// view of the number's text.
class Decimal {
 public:
  explicit Decimal(std::string_view number);

  bool zero() const { return digits_.empty(); }
  bool negative() const { return negative_; }  // never of zero
  // Without the point.
  std::string Digits() const;
  // nullopt: it does not fit, see ScaleText.
  std::optional<int64_t> Scale() const;
  // In decimal, of any size: two scales are the same when their text is.
  std::string ScaleText() const;

  static int Compare(const Decimal& a, const Decimal& b);  // -1, 0, 1

 private:
  bool negative_ = false;
  std::string_view digits_;  // may have the point among them
  int64_t point_ = 0;        // the scale without the exponent
  bool exponent_negative_ = false;
  std::string_view exponent_;  // without leading zeros; empty: 0
};

}  // namespace midwire::wire
