// Parses times and sizes of the command line: "2s", "500ms", "64k".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace midwire::tools {

// In nanoseconds; a bare number is seconds. nullopt: not a time, or beyond 63 bits.
std::optional<int64_t> ParseTime(const std::string& text);
// In bytes; k, M and G are powers of 1024.
std::optional<int64_t> ParseSize(const std::string& text);
// A whole number.
std::optional<int64_t> ParseCount(const std::string& text);

}  // namespace midwire::tools
