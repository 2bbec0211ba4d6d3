#include "replay/learn/excerpt.h"

#include <algorithm>

namespace midwire::replay {
namespace {

constexpr size_t kAroundVarying = 16;  // bytes of context before what varies

// Of all values; 0 for one value, so that its beginning is shown.
size_t CommonBegin(std::span<const std::string> values) {
  size_t common = values.size() < 2 ? 0 : values[0].size();
  for (const std::string& value : values) {
    const auto [a, b] =
        std::mismatch(value.begin(), value.end(), values[0].begin(), values[0].end());
    common = std::min(common, static_cast<size_t>(a - value.begin()));
  }
  return common;
}

// The next byte that begins a character of UTF-8.
size_t CharacterAt(const std::string& text, size_t at) {
  while (at < text.size() && (text[at] & 0xc0) == 0x80) ++at;
  return at;
}

}  // namespace

std::vector<std::string> Excerpts(std::span<const std::string> values) {
  const size_t common = CommonBegin(values);
  std::vector<std::string> excerpts;
  for (const std::string& value : values) {
    if (value.size() <= kMaxExcerpt) {
      excerpts.push_back(value);
      continue;
    }
    const size_t from = CharacterAt(value, common > kAroundVarying ? common - kAroundVarying : 0);
    const size_t to = CharacterAt(value, std::min(value.size(), from + kMaxExcerpt));
    excerpts.push_back((from > 0 ? "..." : "") + value.substr(from, to - from) +
                       (to < value.size() ? "..." : ""));
  }
  return excerpts;
}

}  // namespace midwire::replay
