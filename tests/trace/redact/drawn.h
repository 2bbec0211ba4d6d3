// Keys that look as if drawn at random, for tests: made here, so that scanners of source code do
// not take them for secrets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::trace::redact {

// Characters as in keys drawn at random.
inline std::string DrawnFrom(std::string_view alphabet, size_t size) {
  std::string text;
  uint32_t state = 12345;
  while (text.size() < size) {
    state = state * 1664525 + 1013904223;
    text += alphabet[(state >> 16) % alphabet.size()];
  }
  return text;
}
inline std::string Key(size_t size) {
  return DrawnFrom("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", size);
}
inline std::string Hex(size_t size) { return DrawnFrom("0123456789abcdef", size); }
inline std::string Upper(size_t size) {
  return DrawnFrom("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", size);
}
inline std::string Letters(size_t size) { return DrawnFrom("ABCDEFGHIJKLMabcdefghijklm", size); }

}  // namespace midwire::trace::redact
