#include "wire/near_names.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "wire/json/ascii.h"

namespace midwire::wire {
namespace {

// Longer names are not compared: the time is the product of both lengths.
constexpr size_t kMaxName = 200;
constexpr size_t kMaxKnown = 10'000;
constexpr size_t kMaxNear = 3, kMaxListed = 10;

// The next letter or digit, in lower case; 0: none.
char NextLetter(std::string_view name, size_t* at) {
  while (*at < name.size()) {
    const char c = name[(*at)++];
    // All of a name in another script counts.
    if (IsAlphanumeric(c) || (c & 0x80) != 0) return ToLower(c);
  }
  return 0;
}

std::string Quoted(std::string_view name) { return '"' + std::string(name) + '"'; }

}  // namespace

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last.back();
}

std::string NearNames(std::string_view name, std::span<const std::string> known) {
  std::vector<std::pair<size_t, std::string_view>> near;
  for (const std::string& one : known.first(std::min(known.size(), kMaxKnown))) {
    if (one.empty() || one.size() > kMaxName || name.size() > kMaxName) continue;
    const size_t distance = EditDistance(name, one);
    const bool begins = name.size() >= 3 && one.starts_with(name);
    const size_t shorter = std::min(name.size(), one.size());
    if (begins || (distance < shorter && distance <= std::max<size_t>(1, shorter / 3))) {
      near.emplace_back(distance, one);
    }
  }
  std::sort(near.begin(), near.end());
  std::string text;
  if (!near.empty()) {
    const size_t count = std::min(near.size(), kMaxNear);
    text = "did you mean ";
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) text += i + 1 == count ? " or " : ", ";
      text += Quoted(near[i].second);
    }
    return text + "?";
  }
  for (const std::string& one : known.first(std::min(known.size(), kMaxListed))) {
    text += (text.empty() ? "one of " : ", ") + one.substr(0, kMaxName);
  }
  if (known.size() > kMaxListed) text += ", ...";
  return text;
}

bool SpelledAlike(std::string_view a, std::string_view b) {
  // Nearly all pairs of methods differ here, and detection compares thousands.
  if (!a.empty() && !b.empty() && IsLetter(a[0]) && IsLetter(b[0]) &&
      ((a[0] ^ b[0]) & ~0x20) != 0) {
    return false;
  }
  size_t in_a = 0, in_b = 0;
  for (;;) {
    const char letter = NextLetter(a, &in_a);
    if (letter != NextLetter(b, &in_b)) return false;
    if (letter == 0) return in_a > 0 && in_b > 0;
  }
}

}  // namespace midwire::wire
