#include "trace/import/entries.h"

#include <charconv>
#include <string>

#include "trace/cassette_format.h"
#include "wire/json/ascii.h"
#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::trace::import {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000, kNsPerDay = 86'400 * kNsPerSecond;

// What programs print before the first message is shorter.
constexpr size_t kStartLines = 400, kStartBytes = 1u << 20;

using wire::IsDigit;

// `shape`: a digit for each 0, any other character is itself.
bool HasShape(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == '0' ? !IsDigit(text[i]) : text[i] != shape[i]) return false;
  }
  return true;
}

int64_t NumberAt(std::string_view text, size_t at, size_t size) {
  int64_t value = 0;
  std::from_chars(text.data() + at, text.data() + at + size, value);
  return value;
}

// ".123" or ",123" as nanoseconds, and how many characters it has.
int64_t Fraction(std::string_view text, size_t* size) {
  *size = 0;
  if (text.empty() || (text[0] != '.' && text[0] != ',')) return 0;
  int64_t value = 0;
  size_t digits = 0;
  for (*size = 1; *size < text.size() && IsDigit(text[*size]); ++*size) {
    if (digits < 9) value = value * 10 + (text[*size] - '0'), ++digits;
  }
  for (; digits < 9; ++digits) value *= 10;
  return value;
}

}  // namespace

bool Lines::Next(std::string_view* line) {
  if (at_ >= text_.size()) return false;
  begin_ = at_;
  const size_t end = text_.find('\n', at_);
  at_ = end == text_.npos ? text_.size() : end + 1;
  *line = text_.substr(begin_, (end == text_.npos ? text_.size() : end) - begin_);
  if (line->ends_with('\r')) line->remove_suffix(1);
  ++number_;
  return true;
}

Entries::Entries(std::string_view text, Begins begins)
    : text_(text), begins_(begins), lines_(text) {
  more_ = lines_.Next(&line_);
}

bool Entries::Next(Entry* entry) {
  if (!more_) return false;
  entry->line = lines_.number();
  entry->first = line_;
  const size_t begin = lines_.begin();
  size_t end = lines_.end();
  while ((more_ = lines_.Next(&line_)) && !begins_(line_)) end = lines_.end();
  entry->text = text_.substr(begin, end - begin);
  return true;
}

std::string_view JsonAtStart(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  if (start == text.npos || (text[start] != '{' && text[start] != '[')) return {};
  text.remove_prefix(start);
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      const std::string_view json = text.substr(0, i + 1);
      return wire::IsLooseJson(json) ? json : std::string_view();
    }
  }
  return {};
}

bool HasDate(std::string_view text) {
  return HasShape(text, "0000-00-00T00:00:00") || HasShape(text, "0000-00-00 00:00:00");
}

Time TimeAtStart(std::string_view text, Conversation* to) {
  const Time time = TimeAtStart(text);
  if (!time && HasDate(text)) to->Undated();
  return time;
}

Time TimeAtStart(std::string_view text) {
  if (!HasDate(text)) return std::nullopt;
  if (NumberAt(text, 11, 2) > 23 || NumberAt(text, 14, 2) > 59 || NumberAt(text, 17, 2) > 60) {
    return std::nullopt;
  }
  size_t size = 0;
  const int64_t fraction = Fraction(text.substr(19), &size);
  std::string exact = std::string(text.substr(0, 19)) + ".000000000Z";
  exact[10] = 'T';
  int64_t time = 0;
  if (!cassette::ParseTime(exact, &time)) return std::nullopt;
  const std::string_view zone = text.substr(19 + size);
  int64_t east = 0;
  if (HasShape(zone, "+00:00") || HasShape(zone, "-00:00")) {
    const int64_t seconds = NumberAt(zone, 1, 2) * 3600 + NumberAt(zone, 4, 2) * 60;
    east = (zone[0] == '+' ? seconds : -seconds) * kNsPerSecond;
  }
  if (__builtin_sub_overflow(time, east, &time) || __builtin_add_overflow(time, fraction, &time)) {
    return std::nullopt;
  }
  // So that the difference of two times is one, too.
  return time < 0 ? std::nullopt : Time(time);
}

Time DayClock::At(std::string_view text) {
  const size_t hour_size = HasShape(text, "00:00:00") ? 2 : 1;
  if (!HasShape(text, "00:00:00") && !HasShape(text, "0:00:00")) return std::nullopt;
  int64_t hour = NumberAt(text, 0, hour_size);
  const int64_t minute = NumberAt(text, hour_size + 1, 2),
                second = NumberAt(text, hour_size + 4, 2);
  size_t size = 0;
  const std::string_view after = text.substr(hour_size + 6);
  const int64_t fraction = Fraction(after, &size);
  // "PM" follows a blank, or the narrow one of Unicode. A bracket ends the time.
  const std::string_view half = after.substr(size, after.find(']') - size);
  const bool pm = half.find("PM") != half.npos || half.find("p.m.") != half.npos;
  const bool am = half.find("AM") != half.npos || half.find("a.m.") != half.npos;
  if ((am || pm) && hour == 12) hour = 0;
  if (pm) hour += 12;
  const int64_t time = (hour * 3600 + minute * 60 + second) * kNsPerSecond + fraction;
  if (hour > 23 || minute > 59 || second > 60) return std::nullopt;
  if (time + kNsPerDay / 2 < latest_) day_ += kNsPerDay;
  latest_ = time;
  return day_ + time;
}

std::string_view StartOf(std::string_view log) {
  log = log.substr(0, kStartBytes);
  Lines lines(log);
  std::string_view line;
  while (lines.number() < kStartLines && lines.Next(&line)) {
  }
  return log.substr(0, lines.end());
}

bool AnyLine(std::string_view start, bool (*found)(std::string_view line)) {
  Lines lines(start);
  std::string_view line;
  while (lines.Next(&line)) {
    if (found(line)) return true;
  }
  return false;
}

}  // namespace midwire::trace::import
