#include "replay/match/content.h"

#include "replay/values/text_tokens.h"
#include "wire/json/hash.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

constexpr uint64_t kMix = 0x9E3779B97F4A7C15u;

uint64_t Mixed(uint64_t hash, uint64_t with) {
  hash ^= with + kMix + (hash << 6) + (hash >> 2);
  return hash * kMix;
}

uint64_t HashName(std::string_view quoted) {
  const std::string_view name = Unquoted(quoted);
  if (name.find('\\') == name.npos) return std::hash<std::string_view>()(name);
  return std::hash<std::string>()(wire::StringValue(quoted));
}

}  // namespace

uint64_t VaryingPlaces::HashOf(const wire::Path& path, size_t steps) {
  uint64_t hash = 0;
  for (size_t i = 0; i < steps; ++i) {
    hash = Mixed(hash, path[i].name.empty() ? 1 : HashName(path[i].name));
  }
  return hash;
}

bool VaryingPlaces::Covers(const wire::Path& path) const {
  if (places_.empty()) return false;
  uint64_t hash = 0;
  for (const wire::PathStep& step : path) {
    hash = Mixed(hash, step.name.empty() ? 1 : HashName(step.name));
    if (places_.contains(hash)) return true;
  }
  return false;
}

uint64_t HashContent(std::string_view body, const VaryingPlaces& varying) {
  if (!wire::IsLooseJson(body)) return std::hash<std::string_view>()(body);
  uint64_t sum = 0;  // of the leaves, so that the order of members does not count
  wire::WalkScalars(body, [&](const wire::Path& path, std::string_view value) {
    if (varying.Covers(path)) return;
    uint64_t hash = 0;
    for (const wire::PathStep& step : path) {
      hash = Mixed(hash, step.name.empty() ? step.index : HashName(step.name));
    }
    sum += Mixed(hash, wire::HashValue(value).a);
  });
  return sum;
}

}  // namespace midwire::replay
