#include "trace/redact/randomness.h"

#include <algorithm>
#include <iterator>

#include "wire/json/ascii.h"
#include "wire/text/random_text.h"
#include "wire/text/unique_id.h"

namespace midwire::trace::redact {
namespace {

// Longer words are content: images, files.
constexpr wire::RandomLimits kSecret = {.shortest = 16, .longest = 512, .bits = 2.6};
constexpr wire::RandomLimits kKey = {
    .shortest = 24, .longest = 200, .signs = "-_+=", .both_cases = true, .bits = 4.05};

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

}  // namespace

bool IsRandomWord(std::string_view word) {
  return wire::LooksRandom(word, kSecret) && !wire::IsUuid(word) && !IsPlaceholderOrPath(word) &&
         !IsMadeOfWords(word);
}

bool IsRandomKey(std::string_view word) {
  return wire::LooksRandom(word, kKey) && IsRandomWord(word);
}

}  // namespace midwire::trace::redact
