// Recognisers of scalars: each says whether a whole text is a number, a UUID and so on. Called by
// shape.cc; times with names and fields are in time_scan.h. Pure, linear.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace midwire::replay {

bool IsInteger(std::string_view text);  // an optional sign and digits
bool IsNumber(std::string_view text);   // a JSON number, also with leading zeros
// A number of seconds, milliseconds, microseconds or nanoseconds since 1970, in 2000 to 2099.
bool IsEpoch(std::string_view number);
// The same, without a sign and a fraction, and with as many digits as today's.
bool IsEpochDigits(std::string_view digits);
bool IsWrittenUuid(std::string_view text);  // also in braces or after urn:uuid:
bool IsPath(std::string_view text);
bool IsDuration(std::string_view text);

// How much of the start of a text is a duration of several numbers: "37m14s", "37 minutes and 12
// seconds", "0:37:14.66". 0: it is none, or only a part of something longer.
size_t CompoundDurationSize(std::string_view text);
// "ms", "minutes", ...; longer names first.
std::span<const std::string_view> DurationUnits();

}  // namespace midwire::replay
