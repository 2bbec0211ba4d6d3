#include "trace/looks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>

#include "wire/json/ascii.h"
#include "wire/text/random_text.h"
#include "wire/text/unique_id.h"

namespace midwire::trace {
namespace {

// Shorter strings occur by chance; longer ones are content, except tokens of hundreds of bytes.
// Blanks, slashes and non-ASCII are of prose or a path.
constexpr wire::RandomLimits kMade = {.shortest = 4, .longest = 512, .signs = "-_.:+=@#$~"};
constexpr wire::RandomLimits kToken = {
    .shortest = 8, .longest = kMade.longest, .signs = kMade.signs, .changes = 3};

using wire::IsLetter;

// 1.2.3, v1.2, 2026-11-21T10:00:00Z, 2025-06-18: digits and separators, at most the letters that
// dates and versions have. Both are content: a plugin that sends another one has changed.
bool IsVersionOrDate(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  return text.find_first_of(".:-") != text.npos &&
         text.find_first_not_of("0123456789.:-+TZ") == text.npos;
}

// The whole words that the end of a member's name must be one of. "key" is absent on purpose: keys
// are chosen by people.
constexpr std::string_view kIdentityWords[] = {
    "id",      "uuid",  "guid",   "pid",          "handle",   "token",     "cookie", "cursor",
    "session", "nonce", "ticket", "subscription", "callback", "reference", "ref",    "result"};
// Which of these words end in a letter, a bit for each word, by the letter's last five bits: almost
// no member's name ends as one of them does.
constexpr std::array<uint16_t, 32> kIdentityEnds = [] {
  std::array<uint16_t, 32> ends{};
  for (size_t i = 0; i < std::size(kIdentityWords); ++i) {
    ends[kIdentityWords[i].back() & 31] |= static_cast<uint16_t>(1u << i);
  }
  return ends;
}();
static_assert(std::size(kIdentityWords) <= 16);

}  // namespace

bool LooksMade(std::string_view text) {
  return wire::LooksRandom(text, kMade) && !IsVersionOrDate(text);
}

bool IsUniqueId(std::string_view text) {
  if (wire::IsUuid(text)) return true;
  // Generators write capitals, and digits alone are a number.
  return wire::IsUlid(text) && std::none_of(text.begin(), text.end(), wire::IsLower) &&
         std::any_of(text.begin(), text.end(), wire::IsUpper);
}

bool IsRandomToken(std::string_view token) {
  return IsUniqueId(token) || (wire::LooksRandom(token, kToken) && !IsVersionOrDate(token));
}

bool NamesDigest(std::string_view member) {
  constexpr std::string_view kDigests[] = {"hash", "digest", "checksum",    "etag",     "sha",
                                           "md",   "crc",    "fingerprint", "integrity"};
  if (member == "eTag") return true;
  std::string word;
  const auto is_digest = [&] {
    return std::find(std::begin(kDigests), std::end(kDigests), word) != std::end(kDigests);
  };
  char before = 0;
  for (const char c : member) {
    const bool starts = wire::IsUpper(c) && !wire::IsUpper(before);
    if (!IsLetter(c) || starts) {
      if (is_digest()) return true;
      word.clear();
    }
    if (IsLetter(c)) word += static_cast<char>(c | 0x20);
    before = c;
  }
  return is_digest();
}

bool NamesIdentity(std::string_view member) {
  if (member.empty()) return false;
  if (member.size() > 2 && member.ends_with('s')) member.remove_suffix(1);
  for (unsigned words = kIdentityEnds[member.back() & 31]; words != 0; words &= words - 1) {
    const std::string_view word = kIdentityWords[__builtin_ctz(words)];
    if (member.size() < word.size() || (member.back() | 0x20) != word.back()) continue;
    const std::string_view end = member.substr(member.size() - word.size());
    const bool same = std::equal(end.begin(), end.end(), word.begin(),
                                 [](char a, char b) { return (a | 0x20) == b; });  // ASCII letters
    if (!same) continue;
    if (end.size() == member.size()) return true;
    // The word must begin there: threadId, THREAD_ID, thread-id; not "valid".
    const char before = member[member.size() - word.size() - 1];
    if (!IsLetter(before) || (wire::IsUpper(end[0]) && !wire::IsUpper(before))) return true;
  }
  return false;
}

}  // namespace midwire::trace
