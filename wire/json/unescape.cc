#include "wire/json/unescape.h"

#include <algorithm>

#include "wire/json/chars.h"
#include "wire/json/parts.h"
#include "wire/json/utf8.h"
#include "wire/json/valid.h"

namespace midwire::wire {
namespace {

constexpr char32_t kReplacementCode = 0xfffd;

// \uXXXX at the start of `text`. False: it is not there.
bool ReadUnit(std::string_view text, char32_t* unit) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return false;
  char32_t value = 0;
  for (const char c : text.substr(2, 4)) {
    if (!IsJsonChar(c, kJsonHexDigit)) return false;
    value = value << 4 | static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  *unit = value;
  return true;
}

enum class LoneSurrogate : uint8_t { kReplace, kKeep, kRefuse };

// False: a lone surrogate that is refused.
bool Append(std::string_view token, LoneSurrogate lone, std::string* out) {
  for (;;) {
    const size_t plain = std::min(token.find('\\'), token.size());
    out->append(token.substr(0, plain));
    token.remove_prefix(plain);
    if (token.empty()) return true;
    const JsonEscape escape = ReadJsonEscape(token);
    if (escape.size == 0) {
      *out += '\\';
      token.remove_prefix(1);
      continue;
    }
    const bool replace = IsSurrogate(escape.code) && lone != LoneSurrogate::kKeep;
    if (replace && lone == LoneSurrogate::kRefuse) return false;
    AppendUtf8(replace ? kReplacementCode : escape.code, out);
    token.remove_prefix(escape.size);
  }
}

std::string_view WithoutQuotes(std::string_view quoted) {
  return quoted.size() < 2 ? std::string_view() : quoted.substr(1, quoted.size() - 2);
}

// The bytes of a string one after the other, escapes undone.
class StringBytes {
 public:
  explicit StringBytes(std::string_view quoted) : rest_(WithoutQuotes(quoted)) {}

  bool Next(char* byte) {
    if (given_ < undone_.size()) {
      *byte = undone_[given_++];
      return true;
    }
    if (rest_.empty()) return false;
    const JsonEscape escape = rest_.front() == '\\' ? ReadJsonEscape(rest_) : JsonEscape();
    if (escape.size == 0) {
      *byte = rest_.front();
      rest_.remove_prefix(1);
      return true;
    }
    undone_.clear();
    AppendUtf8(escape.code, &undone_);
    rest_.remove_prefix(escape.size);
    *byte = undone_[0];
    given_ = 1;
    return true;
  }

 private:
  std::string_view rest_;
  std::string undone_;  // at most four bytes: no allocation
  size_t given_ = 0;
};

}  // namespace

JsonEscape ReadJsonEscape(std::string_view text) {
  static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  if (text.size() < 2) return {};
  if (const size_t letter = kLetters.find(text[1]); letter != kLetters.npos) {
    return {static_cast<unsigned char>(kMeanings[letter]), 2};
  }
  char32_t unit = 0, low = 0;
  if (!ReadUnit(text, &unit)) return {};
  const bool pair = IsHighSurrogate(unit) && ReadUnit(text.substr(6), &low) && IsLowSurrogate(low);
  if (!pair) return {unit, 6};
  return {0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), 12};
}

std::string Unescape(std::string_view token) {
  std::string text;
  text.reserve(token.size());
  Append(token, LoneSurrogate::kReplace, &text);
  return text;
}

std::string StringValue(std::string_view quoted) {
  std::string value;
  value.reserve(quoted.size());
  Append(WithoutQuotes(quoted), LoneSurrogate::kKeep, &value);
  return value;
}

bool SameString(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (a.find('\\') == a.npos && b.find('\\') == b.npos) return false;
  StringBytes left(a), right(b);
  for (;;) {
    char x = 0, y = 0;
    const bool more = left.Next(&x);
    if (more != right.Next(&y) || x != y) return false;
    if (!more) return true;
  }
}

bool AppendUnescaped(std::string_view quoted, std::string* out) {
  if (quoted.size() >= 2 && quoted.front() == '"' && quoted.find('\\') == quoted.npos) {
    out->append(WithoutQuotes(quoted));
    return true;
  }
  quoted = Trimmed(quoted);
  if (!quoted.starts_with('"') || !IsJson(quoted)) return false;
  const size_t before = out->size();
  const bool whole = Append(WithoutQuotes(quoted), LoneSurrogate::kRefuse, out);
  if (!whole) out->resize(before);
  return whole;
}

}  // namespace midwire::wire
