#include "wire/json/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

#include "wire/json/parts.h"
#include "wire/json/scan.h"

namespace midwire::wire {
namespace {

// 0.d1d2d3... * 10^point, d1 not 0.
struct Decimal {
  bool negative = false;
  std::string digits;  // without zeros at either end; empty: 0
  int64_t point = 0;
};

constexpr int64_t kMaxExponent = 1'000'000'000'000'000;  // leaves room for the digits of any text

Decimal ReadDecimal(std::string_view number) {
  Decimal decimal;
  const size_t e = std::min(number.find_first_of("eE"), number.size());
  bool after_point = false;
  for (const char c : number.substr(0, e)) {
    if (c == '-') {
      decimal.negative = true;
    } else if (c == '.') {
      after_point = true;
    } else if (c == '0' && decimal.digits.empty()) {
      if (after_point) --decimal.point;
    } else {
      decimal.digits += c;
      if (!after_point) ++decimal.point;
    }
  }
  decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
  if (decimal.digits.empty()) return {};
  if (e == number.size()) return decimal;
  std::string_view exponent = number.substr(e + 1);
  const bool down = exponent.starts_with('-');
  exponent.remove_prefix(std::min(exponent.find_first_not_of("+-"), exponent.size()));
  int64_t size = 0;
  const auto read = std::from_chars(exponent.data(), exponent.data() + exponent.size(), size);
  if (read.ec != std::errc()) size = kMaxExponent;
  size = std::min(size, kMaxExponent);
  decimal.point += down ? -size : size;
  return decimal;
}

// Shorter than what overflows an int64, so that no sum or sign does either.
constexpr size_t kPlainDigits = 18;

bool ReadPlain(std::string_view number, int64_t* value) {
  if (number.size() > kPlainDigits) return false;
  const char* const end = number.data() + number.size();
  const auto read = std::from_chars(number.data(), end, *value);
  return read.ec == std::errc() && read.ptr == end;
}

uint64_t Mix(uint64_t hash, uint64_t value) {  // the finisher of splitmix64
  hash = (hash ^ value) + 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

ValueHash Start(uint64_t kind) { return {Mix(0x6d696477, kind), Mix(0x69726521, kind)}; }

ValueHash Add(ValueHash hash, uint64_t value) { return {Mix(hash.a, value), Mix(hash.b, value)}; }

// Eight bytes at a time; the size tells a zero byte from none.
ValueHash HashBytes(ValueHash hash, std::string_view bytes) {
  hash = Add(hash, bytes.size());
  for (size_t at = 0; at < bytes.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    hash = Add(hash, word);
  }
  return hash;
}

ValueHash HashNumber(std::string_view number) {
  const Decimal decimal = ReadDecimal(number);
  ValueHash hash = Add(Start('0'), decimal.negative);
  hash = Add(hash, static_cast<uint64_t>(decimal.point));
  return HashBytes(hash, decimal.digits);
}

ValueHash HashString(uint64_t kind, std::string_view quoted) {
  if (quoted.size() < 2) return Start(kind);  // no JSON
  if (quoted.find('\\') != quoted.npos) return HashBytes(Start(kind), StringValue(quoted));
  return HashBytes(Start(kind), quoted.substr(1, quoted.size() - 2));
}

// One pass over a text, however deep it is: what is open is on a stack.
class Hasher {
 public:
  explicit Hasher(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  ValueHash Run() {
    while (at_ != end_) {
      const char c = *at_;
      if (c == ',' || c == ':' || c == ' ' || c == '\n' || c == '\r' || c == '\t') {
        ++at_;
      } else if (c == '{' || c == '[') {
        ++at_;
        open_.push_back({Start(static_cast<uint64_t>(c)), {}, c == '{', c == '{'});
      } else if (c == '}' || c == ']') {
        ++at_;
        if (open_.empty()) break;
        const ValueHash hash = open_.back().hash;
        open_.pop_back();
        Take(hash);
      } else if (c == '"') {
        Text();
      } else {
        const std::string_view scalar = Scalar();
        Take(TypeOf(scalar) == JsonType::kNumber ? HashNumber(scalar)
                                                 : HashBytes(Start('n'), scalar));
      }
    }
    return whole_;
  }

 private:
  struct Open {
    ValueHash hash, name;
    bool object, name_due;
  };

  void Text() {
    const char* const from = at_++;
    while ((at_ = FindInString(at_, end_)) != end_ && *at_ != '"') {
      at_ += *at_ == '\\' && end_ - at_ > 1 ? 2 : 1;
    }
    if (at_ != end_) ++at_;
    const std::string_view quoted(from, static_cast<size_t>(at_ - from));
    if (open_.empty() || !open_.back().name_due) return Take(HashString('"', quoted));
    open_.back().name = HashString(':', quoted);
    open_.back().name_due = false;
  }

  std::string_view Scalar() {
    const char* const from = at_++;
    while (at_ != end_ && std::string_view(",:}] \n\r\t").find(*at_) == std::string_view::npos) {
      ++at_;
    }
    return {from, static_cast<size_t>(at_ - from)};
  }

  // A value ended.
  void Take(const ValueHash& value) {
    if (open_.empty()) {
      whole_ = value;
      return;
    }
    Open& in = open_.back();
    if (in.object) {  // a sum: the order makes no difference
      in.hash.a += Mix(in.name.a, value.a);
      in.hash.b += Mix(in.name.b, value.b);
      in.name_due = true;
    } else {
      in.hash = {Mix(in.hash.a, value.a), Mix(in.hash.b, value.b)};
    }
  }

  const char* at_;
  const char* const end_;
  std::vector<Open> open_;
  ValueHash whole_;
};

}  // namespace

int CompareNumbers(std::string_view a, std::string_view b) {
  int64_t plain_a = 0, plain_b = 0;
  if (ReadPlain(a, &plain_a) && ReadPlain(b, &plain_b)) {
    return plain_a < plain_b ? -1 : plain_a > plain_b;
  }
  const Decimal x = ReadDecimal(a), y = ReadDecimal(b);
  const auto sign = [](const Decimal& d) { return d.digits.empty() ? 0 : d.negative ? -1 : 1; };
  if (sign(x) != sign(y)) return sign(x) < sign(y) ? -1 : 1;
  int size = 0;
  if (x.point != y.point) {
    size = x.point < y.point ? -1 : 1;
  } else if (const int order = x.digits.compare(y.digits)) {
    size = order < 0 ? -1 : 1;
  }
  return x.negative ? -size : size;
}

bool IsMultiple(std::string_view number, std::string_view of) {
  int64_t plain = 0, plain_of = 0;
  if (ReadPlain(number, &plain) && ReadPlain(of, &plain_of)) return plain % plain_of == 0;
  double value = 0, unit = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
  std::from_chars(of.data(), of.data() + of.size(), unit);
  // Out of a double's range nobody can tell by doubles; unit 0 is an underflow.
  if (read.ec != std::errc() || unit == 0) return true;
  const double times = value / unit;
  return std::abs(times - std::round(times)) <= 1e-9 * std::max(1.0, std::abs(times));
}

ValueHash HashValue(std::string_view value) { return Hasher(value).Run(); }

}  // namespace midwire::wire
