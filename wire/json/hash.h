// A hash that is the same for equal JSON values, so that they are compared and kept without their
// text. Called by the schema validator (enum, uniqueItems) and the rules of check/.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace midwire::wire {

// 128 bits, so that two different values of one array do not collide by accident.
struct ValueHash {
  uint64_t a = 0, b = 0;
  friend auto operator<=>(const ValueHash&, const ValueHash&) = default;
};

// Equal for two loose JSON values with the same meaning: escapes, blanks, order of members and
// spelling of numbers make no difference. One pass; does not recurse.
ValueHash HashValue(std::string_view value);

}  // namespace midwire::wire
