#include "fuzz/repeats.h"

#include <algorithm>
#include <array>

namespace midwire::fuzz {
namespace {

// From `at` on, the first byte that differs from the one `unit` bytes later, or has none there.
size_t DiffersAt(std::string_view text, size_t at, size_t unit) {
  while (at + unit < text.size() && text[at] == text[at + unit]) ++at;
  return at;
}

}  // namespace

std::vector<Repeat> FindRepeats(std::string_view text) {
  std::vector<Repeat> runs;
  // By unit. Known until `at` has passed it, so that each byte is compared once with each unit.
  std::array<size_t, kMaxUnit + 1> differs_at = {};
  size_t at = 0;
  while (at + kLeastRepeated <= text.size()) {
    Repeat run = {.at = at};
    for (size_t unit = 1; unit <= kMaxUnit && run.count == 0; ++unit) {
      if (differs_at[unit] <= at) differs_at[unit] = DiffersAt(text, at, unit);
      const size_t size = unit + differs_at[unit] - at;
      if (size >= kLeastRepeated) run.unit = unit, run.count = size / unit;
    }
    if (run.count != 0) runs.push_back(run);
    at = run.count != 0 ? run.end() : at + 1;
  }
  return runs;
}

int Nesting(std::string_view text, const Repeat& run) {
  int depth = 0;
  for (const char c : text.substr(run.at, run.unit)) {
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
  }
  return std::clamp(depth, -1, 1);
}

}  // namespace midwire::fuzz
