// Formats counts: "1 message", "2 messages". Used by everything that prints counts; only for words
// whose plural ends in s.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::wire {

inline std::string Counted(uint64_t count, std::string_view noun) {
  return std::to_string(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

}  // namespace midwire::wire
