#include "replay/shape/recognize.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <string>

#include "wire/json/ascii.h"
#include "wire/text/forms.h"
#include "wire/text/unique_id.h"

namespace midwire::replay {
namespace {

using wire::IsDigit;
using wire::IsLetter;

// Reads a text from its start; each call takes what it names, or nothing.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  bool done() const { return at_ == text_.size(); }
  bool Char(std::string_view any_of) {
    if (done() || any_of.find(text_[at_]) == any_of.npos) return false;
    ++at_;
    return true;
  }
  bool Word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool Digits() {
    const size_t start = at_;
    while (!done() && IsDigit(text_[at_])) ++at_;
    return at_ > start;
  }
  // Exactly `count` digits, with a value of `least` to `most`.
  bool Field(size_t count, int least, int most) {
    if (text_.size() - at_ < count) return false;
    int value = 0;
    for (size_t i = 0; i < count; ++i) {
      if (!IsDigit(text_[at_ + i])) return false;
      value = value * 10 + (text_[at_ + i] - '0');
    }
    if (value < least || value > most) return false;
    at_ += count;
    return true;
  }
  template <size_t size>
  bool OneOf(const std::string_view (&words)[size]) {
    return std::any_of(std::begin(words), std::end(words),
                       [this](std::string_view word) { return Word(word); });
  }
  void Blanks() {
    while (Char(" ")) continue;
  }
  size_t at() const { return at_; }
  bool AtLetter() const { return !done() && IsLetter(text_[at_]); }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

// Longer names first.
constexpr std::string_view kUnits[] = {"nanoseconds",
                                       "nanosecond",
                                       "nsecs",
                                       "ns",
                                       "microseconds",
                                       "microsecond",
                                       "usecs",
                                       "us",
                                       "\xC2\xB5s",
                                       "\xCE\xBCs",
                                       "milliseconds",
                                       "millisecond",
                                       "msecs",
                                       "ms",
                                       "seconds",
                                       "second",
                                       "secs",
                                       "sec",
                                       "s",
                                       "minutes",
                                       "minute",
                                       "mins",
                                       "min",
                                       "m",
                                       "hours",
                                       "hour",
                                       "hrs",
                                       "hr",
                                       "h",
                                       "days",
                                       "day",
                                       "d"};

bool IsClockDuration(std::string_view text) {
  Scan scan(text);
  if (!scan.Digits() || !scan.Char(":") || !scan.Field(2, 0, 59)) return false;
  if (scan.Char(":") && !scan.Field(2, 0, 59)) return false;
  return scan.done() || (scan.Char(".,") && scan.Digits() && scan.done());
}

bool IsWithin(std::string_view text, size_t at) {
  return at < text.size() && (wire::IsAlphanumeric(text[at]) || text[at] == ':');
}

size_t LongClockSize(std::string_view text) {
  Scan scan(text);
  if (!scan.Digits() || !scan.Char(":") || !scan.Field(2, 0, 59) || !scan.Char(":") ||
      !scan.Field(2, 0, 59)) {
    return 0;
  }
  size_t end = scan.at();
  if (scan.Char(".,") && scan.Digits()) end = scan.at();
  return IsWithin(text, end) ? 0 : end;
}

bool IsIsoDuration(std::string_view text) {
  Scan scan(text);
  if (!scan.Word("P")) return false;
  bool any = false;
  while (!scan.done()) {
    scan.Word("T");
    if (!scan.Digits() || (scan.Char(".,") && !scan.Digits()) || !scan.Char("YMWDHS")) return false;
    any = true;
  }
  return any;
}

}  // namespace

bool IsInteger(std::string_view text) {
  Scan scan(text);
  scan.Char("+-");
  return scan.Digits() && scan.done();
}

bool IsNumber(std::string_view text) {
  Scan scan(text);
  scan.Char("+-");
  if (!scan.Digits() || (scan.Char(".") && !scan.Digits())) return false;
  if (scan.Char("eE")) {
    scan.Char("+-");
    if (!scan.Digits()) return false;
  }
  return scan.done();
}

bool IsEpoch(std::string_view number) {
  if (!IsNumber(number) || number.size() > 40) return false;
  constexpr double kFrom = 946'684'800, kTo = 4'102'444'800;  // 2000-01-01, 2100-01-01
  double seconds = std::strtod(std::string(number).c_str(), nullptr);
  for (int i = 0; i < 4; ++i, seconds /= 1000) {
    if (seconds >= kFrom && seconds < kTo) return true;
  }
  return false;
}

bool IsEpochDigits(std::string_view digits) {
  constexpr size_t kSizes[] = {10, 13, 16, 19};  // of today's seconds to nanoseconds
  return std::find(std::begin(kSizes), std::end(kSizes), digits.size()) != std::end(kSizes) &&
         std::all_of(digits.begin(), digits.end(), IsDigit) && IsEpoch(digits);
}

bool IsWrittenUuid(std::string_view text) {
  if (text.starts_with("urn:uuid:")) text.remove_prefix(9);
  if (text.size() == 38 && text.front() == '{' && text.back() == '}') text = text.substr(1, 36);
  return wire::IsUuid(text);
}

bool IsPath(std::string_view text) {
  if (wire::IsAbsolutePath(text)) return true;
  if (text.find_first_of("\n\r") != text.npos) return false;
  if (text.starts_with("file://")) return text.size() > 7;
  return text.starts_with("~/") || text.starts_with("\\\\");
}

bool IsDuration(std::string_view text) {
  if (IsClockDuration(text) || IsIsoDuration(text)) return true;
  Scan scan(text);
  bool any = false;
  while (!scan.done()) {
    if (!scan.Digits() || (scan.Char(".,") && !scan.Digits())) return false;
    scan.Blanks();
    if (!scan.OneOf(kUnits) || scan.AtLetter()) return false;
    scan.Char(",");
    scan.Blanks();
    any = true;
  }
  return any;
}

size_t CompoundDurationSize(std::string_view text) {
  if (const size_t clock = LongClockSize(text); clock > 0) return clock;
  Scan scan(text);
  size_t units = 0, end = 0;
  while (scan.Digits() && (!scan.Char(".") || scan.Digits())) {
    scan.Char(" ");
    if (!scan.OneOf(kUnits) || scan.AtLetter()) break;
    ++units;
    end = scan.at();
    scan.Char(",");
    scan.Word(" and");
    scan.Char(" ");
  }
  return units < 2 || IsWithin(text, end) ? 0 : end;
}

std::span<const std::string_view> DurationUnits() { return kUnits; }

}  // namespace midwire::replay
