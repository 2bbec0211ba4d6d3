// Finds what is written many times in a row: brackets of deep nesting, elements, header lines, the
// characters of a long string. Called by the reducer, which shortens such a run by a search for its
// length and not piece by piece. Pure; takes any bytes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace midwire::fuzz {

// The longest unit that is found: those of large inputs have up to 16 bytes.
inline constexpr size_t kMaxUnit = 32;
// Shorter runs are none: removing their bytes piece by piece takes few tests.
inline constexpr size_t kLeastRepeated = 256;

struct Repeat {
  size_t at = 0, unit = 0, count = 0;  // `count` times the `unit` bytes from `at` on

  size_t size() const { return unit * count; }
  size_t end() const { return at + size(); }
};

// In order, without overlaps, each with the shortest unit.
std::vector<Repeat> FindRepeats(std::string_view text);

// Whether one unit opens more brackets than it closes (1), closes more (-1), or neither (0).
int Nesting(std::string_view text, const Repeat& run);

}  // namespace midwire::fuzz
