// Whether a text is JSON. Called for every message that is compared, checked or shown. Builds
// nothing; a level of nesting costs a byte at most.
#pragma once

#include <string_view>

#include "wire/json/cursor.h"

namespace midwire::wire {

// One JSON text by RFC 8259 and nothing else, strings in well-formed UTF-8 (RFC 3629).
bool IsJson(std::string_view text);

// The same, except that strings may hold any byte but controls; false for text nested deeper than
// kMaxLooseDepth.
bool IsLooseJson(std::string_view text);

}  // namespace midwire::wire
