// Counts of things as people read them: "1 message", "2 messages". For all that prints any; only
// for words whose plural has an s.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::wire {

inline std::string Counted(uint64_t count, std::string_view noun) {
  return std::to_string(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

}  // namespace midwire::wire
