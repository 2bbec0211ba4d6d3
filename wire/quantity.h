// Parses durations, sizes and counts as people type them: "2s", "500ms", "64k". Called for options
// (tools/) and for filters (trace/filter_term.cc), so that both mean the same. Pure; no locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace midwire::wire {

// All: no sign, no exponent, and nullopt above 63 bits. 0 needs no unit, any other number does.
// In nanoseconds: ns, us, ms, s, m (min), h, d.
std::optional<int64_t> ParseDuration(std::string_view text);
// In bytes. k, M and G are powers of 1024, as in git, ripgrep and coreutils, and so are KiB, MiB
// and GiB. kB, MB and GB are powers of 1000; B is one byte.
std::optional<int64_t> ParseSize(std::string_view text);
// A whole number without a unit.
std::optional<int64_t> ParseCount(std::string_view text);

}  // namespace midwire::wire
