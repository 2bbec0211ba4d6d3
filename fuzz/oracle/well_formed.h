// What any peer in order must be able to read, and to give back: a fuzzer that accuses a peer of
// not answering must have asked in such words. Pure.
#pragma once

#include <string_view>

#include "wire/message.h"

namespace midwire::fuzz {

// JSON that many a parser refuses, and may: too deep, a number that no double holds (or nearly), an
// escape for half a surrogate pair.
bool ExceedsCommonLimits(std::string_view body);
// Whether an object has a name twice, or more names than can be compared: who allows no such (RFC
// 8259, clause 4; RFC 7493) refuses the whole text, and need not have seen its id.
bool RepeatsName(std::string_view body);
// Whether it may have an id that only some see: spelt with other letters, which readers that do not
// tell case apart take for one (Go's encoding/json), or with escapes in its name.
bool HasAmbiguousId(std::string_view body);
// Integers beyond 2^53 and fractions do not survive in every language.
bool IsBig(const wire::Id& id);
// An id that comes back as it was from any peer in order.
bool IsPlain(const wire::Id& id);

}  // namespace midwire::fuzz
