// The key of the tokens in tests of redaction: any constant one.
#pragma once

#include "trace/redact/tokens.h"

namespace midwire::trace::redact {

inline constexpr TokenKey kKey = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

}  // namespace midwire::trace::redact
