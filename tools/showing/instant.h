// A point in time as an option takes it: --since of show. Pure, except for the local calendar.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::tools {

// "10m": so long before `now_ns`; "14:05" or "14:05:10": today; "2026-01-31", also with a time
// behind a blank or T, and with Z for UTC. Others are local times, or UTC ones with `utc`. Unix
// time in nanoseconds. `option`: for the error.
Result<int64_t> ParseInstant(std::string_view option, std::string_view text, int64_t now_ns,
                             bool utc);

}  // namespace midwire::tools
