#include "trace/redact/tokens.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <optional>

#include "wire/json/ascii.h"
#include "wire/json/escape.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"
#include "wire/json/valid.h"
#include "wire/text/forms.h"
#include "wire/text/unique_id.h"

namespace midwire::trace::redact {
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
    if (!wire::IsDigit(c)) continue;
    c = static_cast<char>(first ? '1' + random->Next() % 9 : '0' + random->Next() % 10);
    first = false;
  }
  return token;
}

// Draws a number below `count`.
using Draw = std::function<size_t(size_t count)>;

// A shorter word may be hex by chance: "facade", "decade".
constexpr size_t kMinHex = 16;

bool AllOf(std::string_view text, auto is) { return std::all_of(text.begin(), text.end(), is); }

// Other letters of the same case, other digits; all else stays, as do the first `kept` bytes.
// Nothing if the value is not ASCII.
std::optional<std::string> TokenOfClasses(std::string_view value, size_t kept, const Draw& below) {
  if (!AllOf(value, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    return std::nullopt;
  }
  std::string token(value);
  // Where all letters are hex, they stay hex.
  const std::string_view rest = value.substr(kept);
  const bool hex =
      AllOf(rest, [](char c) { return !(c > 'f' && c <= 'z') && !(c > 'F' && c <= 'Z'); });
  const size_t letters = hex ? 6 : 26;
  for (size_t i = kept; i < token.size(); ++i) {
    char& c = token[i];
    if (wire::IsLower(value[i])) c = static_cast<char>('a' + below(letters));
    if (wire::IsUpper(value[i])) c = static_cast<char>('A' + below(letters));
    if (wire::IsDigit(value[i])) c = static_cast<char>('0' + below(10));
  }
  return token;
}

void PutNumber(size_t number, char* at, size_t digits) {
  while (digits > 0) {
    at[--digits] = static_cast<char>('0' + number % 10);
    number /= 10;
  }
}

std::string HexToken(std::string_view value, const Draw& below) {
  std::string token(value);
  const bool upper = std::any_of(value.begin(), value.end(), wire::IsUpper);
  for (char& c : token) c = (upper ? "0123456789ABCDEF" : "0123456789abcdef")[below(16)];
  return token;
}

// Version and variant stay (RFC 9562).
std::string UuidToken(std::string_view value, const Draw& below) {
  std::string token = HexToken(value, below);
  for (const size_t i : {8, 13, 14, 18, 19, 23}) token[i] = value[i];
  return token;
}

// RFC 3339: a date, a time, both. The month has 28 days, so that any date exists; the offset stays.
std::optional<std::string> TimeToken(std::string_view value, const Draw& below) {
  std::string token(value);
  size_t at = 0;
  if (wire::IsDate(value.substr(0, 10))) {
    PutNumber(below(100), token.data() + 2, 2);
    PutNumber(1 + below(12), token.data() + 5, 2);
    PutNumber(1 + below(28), token.data() + 8, 2);
    if (value.size() == 10) return token;
    if (value[10] != 'T' && value[10] != 't' && value[10] != ' ') return std::nullopt;
    at = 11;
  }
  if (value.size() < at + 8 || !wire::HasForm(value.substr(at, 8), "##:##:##")) return std::nullopt;
  PutNumber(below(24), token.data() + at, 2);
  PutNumber(below(60), token.data() + at + 3, 2);
  PutNumber(below(60), token.data() + at + 6, 2);
  at += 8;
  if (at < value.size() && value[at] == '.') {
    for (++at; at < value.size() && wire::IsDigit(value[at]); ++at)
      PutNumber(below(10), &token[at], 1);
  }
  const std::string_view offset = value.substr(at);
  const bool known = offset.empty() || offset == "z" || wire::IsTimeOffset(offset);
  return known ? std::optional(token) : std::nullopt;
}

std::optional<std::string> Ipv4Token(std::string_view value, const Draw& below) {
  static constexpr std::array<size_t, 3> kFirst = {0, 10, 100}, kCount = {10, 90, 156};
  if (value.size() < 7 || value.size() > 15) return std::nullopt;
  std::string token(value);
  size_t parts = 0;
  for (size_t at = 0; at < value.size(); ++at, ++parts) {
    const size_t end = std::min(value.find('.', at), value.size());
    const size_t size = end - at;
    if (size < 1 || size > 3 || !wire::IsDigits(value.substr(at, size))) return std::nullopt;
    if (size == 3 && value.substr(at, size) > "255") return std::nullopt;
    PutNumber(kFirst[size - 1] + below(kCount[size - 1]), token.data() + at, size);
    at = end;
  }
  return parts == 4 && value.back() != '.' ? std::optional(token) : std::nullopt;
}

// The scheme of "scheme://...", with its colon; 0: no URI.
size_t SchemeSize(std::string_view value) {
  const size_t colon = value.find("://");
  if (colon == value.npos || colon == 0 || colon + 3 == value.size() || !wire::IsLetter(value[0]))
    return 0;
  const bool scheme = AllOf(value.substr(0, colon), [](char c) {
    return wire::IsAlphanumeric(c) || c == '+' || c == '.' || c == '-';
  });
  const bool rest = AllOf(value.substr(colon), [](char c) {
    return c > ' ' && c < 0x7f && std::string_view("\"<>\\^`{|}").find(c) == std::string_view::npos;
  });
  return scheme && rest ? colon + 1 : 0;
}

// Where a percent sign begins an octet, its two digits stay hex.
std::string UriToken(std::string_view value, size_t scheme, const Draw& below) {
  std::string token = *TokenOfClasses(value, scheme, below);
  for (size_t at = value.find('%'); at != value.npos; at = value.find('%', at + 1)) {
    // %41 to %5A and %61 to %7A are letters, whatever stood here.
    if (at + 2 < value.size()) token.replace(at + 1, 2, below(2) == 0 ? "41" : "62");
  }
  return token;
}

bool IsMail(std::string_view value) {
  const size_t sign = value.find('@');
  if (sign == 0 || sign == value.npos || value.find('@', sign + 1) != value.npos) return false;
  const size_t dot = value.rfind('.');
  if (dot == value.npos || dot < sign + 2 || dot + 2 >= value.size()) return false;
  return AllOf(value,
               [](char c) {
                 return wire::IsAlphanumeric(c) ||
                        std::string_view("@.-_+").find(c) != std::string_view::npos;
               }) &&
         AllOf(value.substr(dot + 1), wire::IsLetter);
}

bool IsLongHex(std::string_view value) {
  if (value.size() < kMinHex) return false;
  return wire::IsHexDigits(value) && (!std::any_of(value.begin(), value.end(), wire::IsLower) ||
                                      !std::any_of(value.begin(), value.end(), wire::IsUpper));
}

// A token that keeps the format of a value, so that "format": "uuid" and the like still hold. What
// it keeps is public: the punctuation that the format has, and a URI's scheme. Nothing: the value
// has none of the formats.
std::optional<std::string> TokenOfFormat(std::string_view value, const Draw& below) {
  if (wire::IsDigits(value)) return TokenOfClasses(value, 0, below);
  if (wire::IsUuid(value)) return UuidToken(value, below);
  if (IsLongHex(value)) return HexToken(value, below);
  if (auto token = TimeToken(value, below)) return token;
  if (auto token = Ipv4Token(value, below)) return token;
  if (const size_t scheme = SchemeSize(value)) return UriToken(value, scheme, below);
  return IsMail(value) ? TokenOfClasses(value, 0, below) : std::nullopt;
}

}  // namespace

size_t CharacterLength(std::string_view text) {
  const wire::Character character = wire::FirstCharacter(text);
  if (character.valid) return character.length;
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  const bool surrogate = text.size() >= 3 && byte(0) == 0xed && byte(1) >= 0xa0 &&
                         byte(1) <= 0xbf && byte(2) >= 0x80 && byte(2) <= 0xbf;
  return surrogate ? 3 : 1;
}

bool IsNumber(std::string_view text) {
  return !text.empty() && (text.front() == '-' || wire::IsDigit(text.front())) &&
         wire::IsDigit(text.back()) && wire::IsJson(text);
}

std::string TokenOf(std::string_view value, const TokenKey& key, uint32_t attempt, TokenForm form) {
  Random random(value, key, attempt);
  const auto below = [&](size_t count) { return static_cast<size_t>(random.Next() % count); };
  if (IsNumber(value)) return NumberToken(value, &random);
  if (form != TokenForm::kFree) {
    size_t kept = form == TokenForm::kHalf ? value.size() / 2 : 0;
    if (form == TokenForm::kPrefix) {
      const auto end = std::find_if_not(value.begin(), value.end(), wire::IsAlphanumeric);
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
      wire::AppendUtf8(static_cast<char32_t>(0xc0 + random.Next() % 0x140),
                       &token);  // Latin letters
    } else if (length == 3) {
      wire::AppendUtf8(static_cast<char32_t>(0x4e00 + random.Next() % 0x5000), &token);  // CJK
    } else {
      wire::AppendUtf8(static_cast<char32_t>(0x20000 + random.Next() % 0xa000), &token);  // CJK
    }
  }
  return token;
}

}  // namespace midwire::trace::redact
