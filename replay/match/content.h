// A hash of what a message says, so that an exact recording is found among a hundred thousand
// without comparing all. Equal messages have equal hashes; places whose values may vary are left
// out. Called by the expectations, which compare what has the same hash. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_set>

#include "wire/json/path.h"

namespace midwire::replay {

// Places, as paths in which an index is any index. What is at or below one does not count.
class VaryingPlaces {
 public:
  void Add(const wire::Path& path, size_t steps) { places_.insert(HashOf(path, steps)); }
  // Whether the path or any path above it was added.
  bool Covers(const wire::Path& path) const;
  bool empty() const { return places_.empty(); }

 private:
  static uint64_t HashOf(const wire::Path& path, size_t steps);

  std::unordered_set<uint64_t> places_;
};

// Order of members, blanks, escapes and the spelling of numbers make no difference. `body` that is
// not loose JSON is hashed as bytes.
uint64_t HashContent(std::string_view body, const VaryingPlaces& varying);

}  // namespace midwire::replay
