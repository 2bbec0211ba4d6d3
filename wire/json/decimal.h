// Numbers as JSON spells them, compared exactly at any size, and a hash that is the same for equal
// JSON values. For json_schema and the rules of trace/. Never turns a number into a double to
// compare it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::wire {

// -1, 0, 1. Both valid JSON numbers. Exponents beyond 10^15 count as 10^15.
int CompareNumbers(std::string_view a, std::string_view b);

// By value: 1e2 is a multiple of 25. Exact for integers of 64 bits; else within a double's last
// digits, because 0.3 is meant to be a multiple of 0.1.
bool IsMultiple(std::string_view number, std::string_view of);

// 128 bits, so that no two different values of one array meet by accident.
struct ValueHash {
  uint64_t a = 0, b = 0;
  friend auto operator<=>(const ValueHash&, const ValueHash&) = default;
};
// The same for two loose JSON values that mean the same: escapes, blanks, order of members and
// spelling of numbers make no difference. One pass, whatever the depth.
ValueHash HashValue(std::string_view value);

}  // namespace midwire::wire
