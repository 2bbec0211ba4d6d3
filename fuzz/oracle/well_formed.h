// Decides what every correct peer can read and echo. The oracle requires an answer only to requests
// that satisfy all of it. Called by fuzz/oracle only. Pure.
#pragma once

#include <string_view>

#include "wire/message.h"

namespace midwire::fuzz {

// Whether the JSON exceeds limits that many parsers have: nested too deep, a number outside of a
// double's range (or near its limits), an escape for half a surrogate pair.
bool ExceedsCommonLimits(std::string_view body);
// Whether an object has a name twice, or more names than are compared. A peer that does not allow
// this (RFC 8259, clause 4; RFC 7493) may refuse the whole text without reading its id.
bool RepeatsName(std::string_view body);
// Whether only some peers find an id: its name has other letters, which parsers that ignore case
// accept (Go's encoding/json), or escapes.
bool HasAmbiguousId(std::string_view body);
// Whether the id is an integer beyond 2^53 or a fraction, which some languages change.
bool IsBig(const wire::Id& id);
// Whether every correct peer echoes the id with the same bytes.
bool IsPlain(const wire::Id& id);

}  // namespace midwire::fuzz
