#include "trace/redact/tokens.h"

#include <sodium.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "trace/redact/token_format.h"
#include "wire/json/ascii.h"
#include "wire/json/escape.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"

namespace midwire::wire {
namespace {

constexpr std::string_view kAlphabet =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kStay = "\"\\/\b\f\n\r\t";

// A sequence of pseudo-random numbers, seeded with the whole value.
class Random {
 public:
  Random(std::string_view value, const TokenKey& key, uint32_t attempt) {
    unsigned char seed[crypto_shorthash_KEYBYTES];
    static_assert(sizeof seed >= crypto_generichash_BYTES_MIN);
    crypto_generichash_state state;
    crypto_generichash_init(&state, key.data(), key.size(), sizeof seed);
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(value.data()),
                              value.size());
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&attempt),
                              sizeof attempt);
    crypto_generichash_final(&state, seed, sizeof seed);
    std::memcpy(seed_, seed, sizeof seed_);
  }
  uint64_t Next() {
    unsigned char hash[crypto_shorthash_BYTES];
    crypto_shorthash(hash, reinterpret_cast<const unsigned char*>(&count_), sizeof count_, seed_);
    ++count_;
    uint64_t number;
    static_assert(sizeof hash == sizeof number);
    std::memcpy(&number, hash, sizeof number);
    return number;
  }

 private:
  unsigned char seed_[crypto_shorthash_KEYBYTES];
  uint64_t count_ = 0;
};

// Not zero at the start: 07 is not a number.
std::string NumberToken(std::string_view value, Random* random) {
  std::string token(value);
  bool first = true;
  for (char& c : token) {
    if (c == 'e' || c == 'E') break;
    if (!IsDigit(c)) continue;
    c = static_cast<char>(first ? '1' + random->Next() % 9 : '0' + random->Next() % 10);
    first = false;
  }
  return token;
}

}  // namespace

size_t CharacterLength(std::string_view text) {
  const Character character = FirstCharacter(text);
  if (character.valid) return character.length;
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  const bool surrogate = text.size() >= 3 && byte(0) == 0xed && byte(1) >= 0xa0 &&
                         byte(1) <= 0xbf && byte(2) >= 0x80 && byte(2) <= 0xbf;
  return surrogate ? 3 : 1;
}

bool IsNumber(std::string_view text) {
  size_t at = 0;
  const auto digits = [&] {
    const size_t from = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    return at - from;
  };
  if (at < text.size() && text[at] == '-') ++at;
  const bool zero = at < text.size() && text[at] == '0';
  const size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

std::string TokenOf(std::string_view value, const TokenKey& key, uint32_t attempt, TokenForm form) {
  Random random(value, key, attempt);
  const auto below = [&](size_t count) { return static_cast<size_t>(random.Next() % count); };
  if (IsNumber(value)) return NumberToken(value, &random);
  if (form != TokenForm::kFree) {
    size_t kept = form == TokenForm::kHalf ? value.size() / 2 : 0;
    if (form == TokenForm::kPrefix) {
      const auto end = std::find_if_not(value.begin(), value.end(), IsAlphanumeric);
      if (end != value.end()) kept = static_cast<size_t>(end - value.begin());
    }
    if (std::optional<std::string> token = TokenOfClasses(value, kept, below)) return *token;
  }
  if (std::optional<std::string> token = TokenOfFormat(value, below)) return *token;
  std::string token;
  token.reserve(value.size());
  while (!value.empty()) {
    const size_t length = CharacterLength(value);
    const char c = value.front();
    value.remove_prefix(length);
    if (length == 1) {
      const bool stays = kStay.find(c) != kStay.npos;
      token += stays ? c : kAlphabet[random.Next() % kAlphabet.size()];
    } else if (length == 2) {
      AppendUtf8(static_cast<char32_t>(0xc0 + random.Next() % 0x140), &token);  // Latin letters
    } else if (length == 3) {
      AppendUtf8(static_cast<char32_t>(0x4e00 + random.Next() % 0x5000), &token);  // CJK
    } else {
      AppendUtf8(static_cast<char32_t>(0x20000 + random.Next() % 0xa000), &token);  // CJK
    }
  }
  return token;
}

}  // namespace midwire::wire
