// Places in messages as a dialect writes them, "METHOD:/pointer", made from the paths in messages.
// Shared by the parts of infer; keeps no message.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/pointer.h"

namespace midwire::check {

// Whether a place can name this method and no other.
bool CanBePlace(std::string_view method);
// Indices become `*`. nullopt where no pointer can express it: a name that is not UTF-8, too deep,
// too long.
std::optional<wire::Pointer> PatternOf(const wire::Path& path);
std::string PlaceText(std::string_view method, const wire::Pointer& pointer);

inline uint64_t HashOf(std::string_view text) { return std::hash<std::string_view>()(text); }
inline uint64_t Mixed(uint64_t a, uint64_t b) {
  a ^= b + 0x9E3779B97F4A7C15u + (a << 6) + (a >> 2);
  return a * 0xC2B2AE3D27D4EB4Fu;
}

// Hashes of the path that a walk (wire::WalkScalars) is at, made step by step. Deeper paths than a
// pointer can have get the hash of their last step that a pointer can have.
class PathHashes {
 public:
  // indices: elements of an array have different ones.
  explicit PathHashes(bool indices) : indices_(indices), levels_(1) {}
  void Step(const wire::Path& path) {
    const size_t length = path.size();
    if (length > wire::kMaxPointerSteps) return;
    if (levels_.size() <= length) levels_.resize(length + 1);
    const wire::PathStep& step = path.back();
    const uint64_t index = indices_ ? step.index : 0;
    levels_[length] = Mixed(levels_[length - 1], step.name.empty() ? index : HashOf(step.name));
  }
  uint64_t Of(const wire::Path& path) const {
    return levels_[std::min(path.size(), wire::kMaxPointerSteps)];
  }

 private:
  const bool indices_;
  std::vector<uint64_t> levels_;  // by length of the path
};

}  // namespace midwire::check
