#include "trace/redact/randomness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "trace/redact/nested_encoding.h"
#include "trace/redact/telling_names.h"
#include "wire/json/ascii.h"
#include "wire/text/unique_id.h"

namespace midwire::trace::redact {
namespace {

constexpr size_t kMinRandom = 16;
// Longer words are content: images, files.
constexpr size_t kMaxRandom = 512;
// Bits per character. 16 characters of hex drawn at random have 3.1 on average, 20 of base62 have
// 4.1; "aaaabbbb11112222" has 2.
constexpr double kMinBits = 2.6;
// Hex has at most 4.
constexpr double kKeyBits = 4.05;
constexpr size_t kMinKey = 24, kMaxKey = 200;

// Shannon's, of the characters.
double BitsPerCharacter(std::string_view word) {
  std::array<int, 256> counts{};
  for (const char c : word) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  const auto size = static_cast<double>(word.size());
  for (const int count : counts) {
    if (count > 0) bits -= count / size * std::log2(count / size);
  }
  return bits;
}

bool IsMixed(std::string_view word) {
  return std::any_of(word.begin(), word.end(), wire::IsDigit) &&
         std::any_of(word.begin(), word.end(),
                     [](char c) { return wire::IsLower(c) || wire::IsUpper(c); });
}

// "my-secret-name-2024": most of it is runs of four and more letters of one case, and few digits.
bool IsMadeOfWords(std::string_view word) {
  size_t digits = 0, in_words = 0;
  for (size_t at = 0; at < word.size();) {
    const size_t from = at;
    if (wire::IsUpper(word[at])) ++at;  // a capital begins a word
    while (at < word.size() && wire::IsLower(word[at])) ++at;
    if (at - from < 2) {
      at = from;
      while (at < word.size() && wire::IsUpper(word[at])) ++at;
    }
    if (at - from >= 4) in_words += at - from;
    if (at == from) digits += wire::IsDigit(word[at++]);
  }
  return digits * 100 < word.size() * 16 && in_words * 2 > word.size();
}

bool IsPlaceholderOrPath(std::string_view word) {
  static constexpr std::string_view kBegins[] = {"/", "./", "../", "~/", "$", "%", "<", "{", "["};
  return word.find("://") != word.npos ||
         std::any_of(std::begin(kBegins), std::end(kBegins),
                     [&](std::string_view begin) { return word.starts_with(begin); });
}

bool IsSure(Telling name, std::string_view value, Written written) {
  const NamedSecret found = SecretBeside(name, value, written);
  return found.sure && !found.text.empty();
}

}  // namespace

bool LooksRandom(std::string_view word) {
  if (word.size() < kMinRandom || word.size() > kMaxRandom) return false;
  const bool printable = std::all_of(word.begin(), word.end(), [](char c) { return c > ' '; });
  return printable && IsMixed(word) && !wire::IsUuid(word) && !IsPlaceholderOrPath(word) &&
         BitsPerCharacter(word) >= kMinBits && !IsMadeOfWords(word);
}

bool LooksLikeKey(std::string_view word) {
  if (word.size() < kMinKey || word.size() > kMaxKey) return false;
  const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
    return wire::IsDigit(c) || wire::IsLower(c) || wire::IsUpper(c) || c == '-' || c == '_' ||
           c == '+' || c == '=';
  });
  return plain && std::any_of(word.begin(), word.end(), wire::IsUpper) &&
         std::any_of(word.begin(), word.end(), wire::IsLower) && LooksRandom(word) &&
         BitsPerCharacter(word) >= kKeyBits;
}

bool Passes(ShapeCheck check, std::string_view secret) {
  switch (check) {
    case ShapeCheck::kNone:
      return true;
    case ShapeCheck::kMixed:
      return IsMixed(secret);
    case ShapeCheck::kRandom:
      return LooksRandom(secret);
    case ShapeCheck::kQuoted:
      return IsSure(Telling::kSecret, secret, Written::kQuoted);
    case ShapeCheck::kBare:
      return IsSure(Telling::kSecret, secret, Written::kBare);
    case ShapeCheck::kPassQuoted:
      return IsSure(Telling::kPassword, secret, Written::kQuoted);
    case ShapeCheck::kPassBare:
      return IsSure(Telling::kPassword, secret, Written::kBare);
    case ShapeCheck::kCookie:
      return IsSure(Telling::kCookie, secret, Written::kQuoted);
    case ShapeCheck::kBasic: {
      const std::string bytes = Base64Prefix(secret);
      return bytes.find(':') != bytes.npos && std::all_of(bytes.begin(), bytes.end(), [](char c) {
               return static_cast<unsigned char>(c) >= ' ';
             });
    }
  }
  return false;
}

}  // namespace midwire::trace::redact
