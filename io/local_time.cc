#include "io/local_time.h"

#include <ctime>

#include "io/clock.h"

namespace midwire::io {
int64_t LocalOffset(int64_t unix_ns) {
  const time_t seconds = unix_ns / kSecond;
  struct tm local = {};
  return localtime_r(&seconds, &local) == nullptr ? 0 : local.tm_gmtoff * kSecond;
}

CalendarTime CalendarOf(int64_t unix_ns, bool utc) {
  const time_t seconds = unix_ns / kSecond;
  struct tm time = {};
  (void)(utc ? gmtime_r(&seconds, &time) : localtime_r(&seconds, &time));
  return {time.tm_year + 1900, time.tm_mon + 1, time.tm_mday,
          time.tm_hour,        time.tm_min,     time.tm_sec};
}

std::optional<int64_t> UnixTimeOf(const CalendarTime& time, bool utc) {
  struct tm parts = {};
  parts.tm_year = time.year - 1900;
  parts.tm_mon = time.month - 1;
  parts.tm_mday = time.day;
  parts.tm_hour = time.hour;
  parts.tm_min = time.minute;
  parts.tm_sec = time.second;
  parts.tm_isdst = -1;
  const time_t seconds = utc ? timegm(&parts) : mktime(&parts);
  // A day that the month does not have becomes one of the next.
  if (parts.tm_mday != time.day || parts.tm_mon != time.month - 1 || time.year < 1970 ||
      time.year > 2200) {
    return std::nullopt;
  }
  return static_cast<int64_t>(seconds) * kSecond;
}

}  // namespace midwire::io
