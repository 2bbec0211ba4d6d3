// Identifiers that are unique by the way they are made. Called by what looks at values:
// trace/looks, replay/shape, check/infer. Pure; how strict a caller is beyond the spelling is the
// caller's matter.
#pragma once

#include <string_view>

namespace midwire::wire {

// 36 characters as RFC 9562 spells a UUID, in either case; of any version and variant.
bool IsUuid(std::string_view text);

// A ULID: 26 characters of Crockford's base 32, in either case. 48 bits of time come first, so the
// first one is at most 7. (https://github.com/ulid/spec)
bool IsUlid(std::string_view text);

}  // namespace midwire::wire
