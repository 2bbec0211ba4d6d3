#include "fuzz/repeats.h"

#include <algorithm>

namespace midwire::fuzz {
namespace {

// The number of bytes from `at` on that are equal to those `unit` bytes later.
size_t SameAfter(std::string_view text, size_t at, size_t unit) {
  size_t same = 0;
  while (at + unit + same < text.size() && text[at + same] == text[at + unit + same]) ++same;
  return same;
}

}  // namespace

std::vector<Repeat> FindRepeats(std::string_view text) {
  std::vector<Repeat> runs;
  size_t at = 0;
  while (at + kLeastRepeated <= text.size()) {
    Repeat run = {.at = at};
    for (size_t unit = 1; unit <= kMaxUnit && run.count == 0; ++unit) {
      const size_t size = unit + SameAfter(text, at, unit);
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
