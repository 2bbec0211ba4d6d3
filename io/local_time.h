// The calendar of the place where midwire runs: for times of day in timelines, and for options that
// take one. Called by tools/.
#pragma once

#include <cstdint>
#include <optional>

namespace midwire::io {

// Nanoseconds that the local time is ahead of UTC at a Unix time.
int64_t LocalOffset(int64_t unix_ns);

struct CalendarTime {
  int year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0;
};
CalendarTime CalendarOf(int64_t unix_ns, bool utc);
// Unix time in nanoseconds; nullopt: there is no such day or time.
std::optional<int64_t> UnixTimeOf(const CalendarTime& time, bool utc);

}  // namespace midwire::io
