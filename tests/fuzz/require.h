// What the project's own targets hold true; a broken one ends in abort(), and the engine keeps the
// input.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace midwire {

inline void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

}  // namespace midwire
