// The assertion of the project's own fuzz targets: a broken one calls abort(), and the fuzzing
// engine keeps the input. Called in tests/fuzz/targets only.
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
