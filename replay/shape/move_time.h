// Times as another day would print them, for trying what was learned. Called by lasting.cc. Pure:
// no clock is read or changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "replay/shape/time_scan.h"

namespace midwire::replay {

enum class TimeStep : unsigned char { kMinute, kHour, kDay, kMonth, kYear };
inline constexpr TimeStep kTimeSteps[] = {TimeStep::kMinute, TimeStep::kHour, TimeStep::kDay,
                                          TimeStep::kMonth, TimeStep::kYear};

// The same format, one step later. A month after January 31 is the last day of February. What the
// text does not have does not move: a clock stays as it is after a day.
std::string Moved(const ReadTime& time, TimeStep step);

// Days since 1970. nullopt: the time has no date or no year.
std::optional<int64_t> DayOf(const ReadTime& time);

}  // namespace midwire::replay
