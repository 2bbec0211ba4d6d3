#include "replay/shape/move_time.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <iterator>

namespace midwire::replay {
namespace {

using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr int64_t kSecondsOfDay = 86400;
constexpr int64_t kNoDate = 10957;  // 2000-01-01: a leap year, for dates without a year

// Seconds of a step of a clock, or of one since 1970.
int64_t SecondsOf(TimeStep step) {
  constexpr int64_t kSeconds[] = {60, 3600, kSecondsOfDay, 30 * kSecondsOfDay, 365 * kSecondsOfDay};
  return kSeconds[static_cast<int>(step)];
}

year_month_day Date(int64_t day) { return sys_days(std::chrono::days(day)); }
int64_t Day(year_month_day date) { return sys_days(date).time_since_epoch().count(); }
int64_t FirstDay(int year) { return Day(std::chrono::year(year) / 1 / 1); }
int YearOf(int64_t day) { return static_cast<int>(Date(day).year()); }
// 0: Monday.
int64_t Weekday(int64_t day) { return ((day + 3) % 7 + 7) % 7; }
// ISO 8601: week 1 is the one with January 4.
int64_t FirstMonday(int year) {
  const int64_t fourth = FirstDay(year) + 3;
  return fourth - Weekday(fourth);
}

int64_t Number(const ReadTime& time, char kind, int64_t otherwise) {
  const TimeField* field = time.Field(kind);
  if (field != nullptr) {
    std::from_chars(field->text.data(), field->text.data() + field->text.size(), otherwise);
  }
  return otherwise;
}

template <size_t count>
int64_t IndexOf(std::string_view name, const std::string_view (&names)[count]) {
  const auto found = std::find_if(std::begin(names), std::end(names), [&](std::string_view one) {
    return name.starts_with(one.substr(0, kShortName));
  });
  return found - std::begin(names);
}

bool IsAfternoon(std::string_view half) { return half[0] == 'P' || half[0] == 'p'; }

// With `digits` digits, zeros before; one that had less than it may have keeps none.
std::string Spelled(int64_t value, std::string_view before, bool padded) {
  std::string text = std::to_string(value);
  if (!padded && before[0] != '0') return text;
  return std::string(before.size() - std::min(before.size(), text.size()), '0') + text;
}

int64_t YearIn(const ReadTime& time) {
  const int64_t year = Number(time, 'C', Number(time, 'Y', -1));
  if (year >= 0) return year;
  const int64_t two = Number(time, 'y', -1);
  if (two < 0) return -1;
  return two + (two < 70 ? 2000 : 1900);  // 70 to 99 are of 1900
}

// Of a day in `year`.
int64_t DayIn(const ReadTime& time, int64_t year) {
  const int number = static_cast<int>(year);
  if (time.Field('j') != nullptr) return FirstDay(number) + Number(time, 'j', 1) - 1;
  if (time.Field('V') != nullptr) {
    return FirstMonday(number) + 7 * (Number(time, 'V', 1) - 1) + Number(time, 'u', 1) - 1;
  }
  const TimeField* name = time.Field('b');
  const int64_t month = name != nullptr ? IndexOf(name->text, kMonthNames) + 1
                                        : Number(time, 'm', Number(time, 'n', 1));
  const int64_t day = Number(time, 'd', Number(time, 'e', 1));
  return Day(std::chrono::year(number) / static_cast<int>(month) / 1) + day - 1;
}

int64_t SecondIn(const ReadTime& time) {
  int64_t hour = Number(time, 'H', Number(time, 'k', Number(time, 'I', 0)));
  if (const TimeField* half = time.Field('p')) {
    hour = hour % 12 + (IsAfternoon(half->text) ? 12 : 0);
  }
  return (hour * 60 + Number(time, 'M', 0)) * 60 + Number(time, 'S', 0);
}

bool HasDate(const ReadTime& time) {
  return std::any_of(time.fields.begin(), time.fields.end(), [](const TimeField& field) {
    return std::string_view("deVj").find(field.kind) != std::string_view::npos;
  });
}

// A month or a year after a day, at most the last one of its month.
int64_t Later(int64_t day, TimeStep step) {
  year_month_day date = Date(day);
  if (step == TimeStep::kMonth) date += std::chrono::months(1);
  if (step == TimeStep::kYear) date += std::chrono::years(1);
  return date.ok() ? Day(date) : Day(date.year() / date.month() / std::chrono::last);
}

std::string MovedEpoch(std::string_view digits, TimeStep step) {
  int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  int64_t seconds = SecondsOf(step);
  for (size_t size = 10; size < digits.size(); ++size) seconds *= 10;
  return std::to_string(value + seconds);
}

// What a field has at a moment. `days`: by how many it was moved.
std::string FieldAt(const TimeField& field, int64_t day, int64_t second, int64_t days) {
  const year_month_day date = Date(day);
  const int64_t month = static_cast<unsigned>(date.month());
  const int64_t hour = second / 3600;
  const bool is_short = field.text.size() == kShortName;
  const auto padded = [&](int64_t value) { return Spelled(value, field.text, true); };
  const auto plain = [&](int64_t value) { return Spelled(value, field.text, false); };
  switch (field.kind) {
    case 'Y':
    case 'C':
      return padded(YearOf(day));
    case 'y':
      return padded(YearOf(day) % 100);
    case 'm':
      return padded(month);
    case 'n':
      return plain(month);
    case 'b':
      return std::string(kMonthNames[month - 1].substr(0, is_short ? kShortName : 20));
    case 'd':
      return padded(static_cast<unsigned>(date.day()));
    case 'e':
      return plain(static_cast<unsigned>(date.day()));
    case 'j':
      return padded(day - FirstDay(YearOf(day)) + 1);
    case 'V':
      return padded((day - FirstMonday(YearOf(day + 3 - Weekday(day)))) / 7 + 1);
    case 'u':
      return padded(Weekday(day) + 1);
    case 'a': {
      const int64_t name = (IndexOf(field.text, kDayNames) + days) % 7;
      return std::string(kDayNames[name].substr(0, is_short ? kShortName : 20));
    }
    case 'H':
      return padded(hour);
    case 'k':
      return plain(hour);
    case 'I':
      return plain((hour + 11) % 12 + 1);
    case 'M':
      return padded(second / 60 % 60);
    case 'S':
      return padded(second % 60);
    case 'p': {
      const auto half = std::find(std::begin(kHalfDays), std::end(kHalfDays), field.text);
      const size_t spelling = static_cast<size_t>(half - std::begin(kHalfDays)) % 4;
      return std::string(kHalfDays[spelling + (hour < 12 ? 0 : 4)]);
    }
    default:
      return std::string(field.text);
  }
}

}  // namespace

std::optional<int64_t> DayOf(const ReadTime& time) {
  if (const TimeField* epoch = time.Field('s')) {
    int64_t value = 0;
    const std::string_view seconds = epoch->text.substr(0, 10);
    std::from_chars(seconds.data(), seconds.data() + seconds.size(), value);
    return value / kSecondsOfDay;
  }
  const int64_t year = YearIn(time);
  if (year < 0 || !HasDate(time)) return std::nullopt;
  return DayIn(time, year);
}

std::string Moved(const ReadTime& time, TimeStep step) {
  const int64_t before =
      DayOf(time).value_or(HasDate(time) ? DayIn(time, YearOf(kNoDate)) : kNoDate);
  const bool by_calendar = step == TimeStep::kMonth || step == TimeStep::kYear;
  int64_t day = by_calendar ? Later(before, step) : before;
  const int64_t seconds = SecondIn(time) + (by_calendar ? 0 : SecondsOf(step));
  day += seconds / kSecondsOfDay;
  std::string moved;
  size_t at = 0;
  for (const TimeField& field : time.fields) {
    const size_t begin = static_cast<size_t>(field.text.data() - time.text.data());
    moved += time.text.substr(at, begin - at);
    at = begin + field.text.size();
    const bool of_week_year = field.kind == 'C' && time.Field('V') != nullptr;
    moved += field.kind == 's' ? MovedEpoch(field.text, step)
                               : FieldAt(field, of_week_year ? day + 3 - Weekday(day) : day,
                                         seconds % kSecondsOfDay, day - before);
  }
  return moved + std::string(time.text.substr(at));
}

}  // namespace midwire::replay
