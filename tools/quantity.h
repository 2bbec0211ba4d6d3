// Parses times and sizes of the command line: "2s", "500ms", "64k".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace midwire::tools {

// In nanoseconds. nullopt: not a time, beyond 63 bits, or a number without a unit that is not 0.
std::optional<int64_t> ParseTime(const std::string& text);
// In bytes, in the same way; k, M and G are powers of 1024.
std::optional<int64_t> ParseSize(const std::string& text);
// A whole number.
std::optional<int64_t> ParseCount(const std::string& text);

}  // namespace midwire::tools
