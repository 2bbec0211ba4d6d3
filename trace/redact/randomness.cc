#include "trace/redact/randomness.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "trace/redact/nested_encoding.h"
#include "trace/redact/telling_names.h"
#include "wire/json/ascii.h"
#include "wire/text/random_text.h"
#include "wire/text/unique_id.h"

namespace midwire::trace::redact {
namespace {

// Longer words are content: images, files.
constexpr wire::RandomLimits kSecret = {.shortest = 16, .longest = 512, .bits = 2.6};
constexpr wire::RandomLimits kKey = {
    .shortest = 24, .longest = 200, .signs = "-_+=", .both_cases = true, .bits = 4.05};

bool IsMixed(std::string_view word) {
  return std::any_of(word.begin(), word.end(), wire::IsDigit) &&
         std::any_of(word.begin(), word.end(), wire::IsLetter);
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

bool IsRandomWord(std::string_view word) {
  return wire::LooksRandom(word, kSecret) && !wire::IsUuid(word) && !IsPlaceholderOrPath(word) &&
         !IsMadeOfWords(word);
}

bool IsRandomKey(std::string_view word) {
  return wire::LooksRandom(word, kKey) && IsRandomWord(word);
}

bool Passes(ShapeCheck check, std::string_view secret) {
  switch (check) {
    case ShapeCheck::kNone:
      return true;
    case ShapeCheck::kMixed:
      return IsMixed(secret);
    case ShapeCheck::kRandom:
      return IsRandomWord(secret);
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
