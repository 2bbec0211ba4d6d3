#include "wire/text/random_text.h"

#include <array>
#include <cmath>
#include <cstdint>

#include "wire/json/digits.h"

namespace midwire::wire {
namespace {

constexpr uint8_t kLower = 1, kUpper = 2, kDigit = 4;
constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = kLower;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = kUpper;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  return classes;
}();

double BitsPerCharacter(std::string_view text) {
  std::array<int, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  const auto size = static_cast<double>(text.size());
  for (const int count : counts) {
    if (count > 0) bits -= count / size * std::log2(count / size);
  }
  return bits;
}

}  // namespace

bool LooksRandom(std::string_view text, const RandomLimits& limits) {
  if (text.size() < limits.shortest || text.size() > limits.longest) return false;
  if (!HasDigit(text)) return false;  // most texts: a quick look before the slow one
  int changes = 0;
  uint8_t seen = 0, before = 0;
  for (const char c : text) {
    const uint8_t now = kClasses[static_cast<unsigned char>(c)];
    if (now == 0) {
      const bool fits = limits.signs.empty() ? c > ' ' : limits.signs.find(c) != limits.signs.npos;
      if (!fits) return false;
      continue;
    }
    changes += seen != 0 && (now & kDigit) != before;
    before = now & kDigit;
    seen |= now;
  }
  const bool both_cases = (seen & kLower) && (seen & kUpper);
  return changes >= limits.changes && (both_cases || !limits.both_cases) &&
         (limits.bits == 0 || BitsPerCharacter(text) >= limits.bits);
}

}  // namespace midwire::wire
