#include "trace/redact/nested_encoding.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "wire/json/unescape.h"
#include "wire/json/utf8.h"

namespace midwire::trace::redact {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void SpellUnit(char32_t unit, char* to) {
  for (int i = 0; i < 4; ++i) to[2 + i] = kHex[unit >> (12 - 4 * i) & 15];
}

// The code point that AppendUtf8 writes as these bytes, if there is one.
std::optional<char32_t> CodePoint(std::string_view bytes) {
  static constexpr std::array<unsigned char, 5> kLead = {0, 0x7f, 0x1f, 0x0f, 0x07};
  char32_t code = static_cast<unsigned char>(bytes[0]) & kLead[bytes.size()];
  for (const char c : bytes.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
  std::string again;
  wire::AppendUtf8(code, &again);
  if (again != bytes) return std::nullopt;
  return code;
}

constexpr std::array<int8_t, 256> Sextets() {
  std::array<int8_t, 256> sextets{};
  for (int8_t& sextet : sextets) sextet = -1;
  for (size_t i = 0; i < kBase64.size(); ++i) {
    sextets[static_cast<unsigned char>(kBase64[i])] = static_cast<int8_t>(i);
  }
  sextets['-'] = 62;
  sextets['_'] = 63;
  return sextets;
}
constexpr std::array<int8_t, 256> kSextets = Sextets();

int SextetOf(char c) { return kSextets[static_cast<unsigned char>(c)]; }

// Text with JSON escapes, unescaped.
class Unescaped {
 public:
  explicit Unescaped(std::string_view spelt);
  bool any() const { return !escapes_.empty(); }  // there are escapes
  const std::string& value() const { return value_; }
  // Spells `now`, each character of which has the length that it has in value().
  void Spell(std::string_view now, char* spelt) const;

 private:
  struct Escape {
    size_t from = 0, to = 0;  // its position in the spelt text and in the value
    uint8_t spelt = 0, size = 0;
  };
  std::string value_;
  std::vector<Escape> escapes_;
};

Unescaped::Unescaped(std::string_view spelt) {
  value_.reserve(spelt.size());
  for (size_t at = 0; at < spelt.size();) {
    const size_t plain = std::min(spelt.find('\\', at), spelt.size());
    value_.append(spelt, at, plain - at);
    at = plain;
    if (at == spelt.size()) break;
    const wire::JsonEscape escape = wire::ReadJsonEscape(spelt.substr(at));
    if (escape.size == 0) {
      value_ += spelt[at++];
      continue;
    }
    const size_t to = value_.size();
    wire::AppendUtf8(escape.code, &value_);
    escapes_.push_back({at, to, escape.size, static_cast<uint8_t>(value_.size() - to)});
    at += escape.size;
  }
}

void Unescaped::Spell(std::string_view now, char* spelt) const {
  size_t from = 0, to = 0;
  const auto plain = [&](size_t until) { now.copy(spelt + from, until - to, to); };
  for (const Escape& escape : escapes_) {
    plain(escape.to);
    from = escape.from + escape.spelt;
    to = escape.to + escape.size;
    const std::string_view character = now.substr(escape.to, escape.size);
    if (escape.spelt == 2 || value_.compare(escape.to, escape.size, character) == 0) continue;
    char32_t code = CodePoint(character).value_or(U'x');
    if (escape.spelt == 6) {
      SpellUnit(code, spelt + escape.from);
    } else {
      code = std::max(code, char32_t{0x10000}) - 0x10000;
      SpellUnit(0xd800 + (code >> 10), spelt + escape.from);
      SpellUnit(0xdc00 + (code & 0x3ff), spelt + escape.from + 6);
    }
  }
  plain(now.size());
}

void RewriteEscaped(std::string_view spelt, const Unescaped& unescaped, char* now,
                    const RewriteText& rewrite) {
  std::string value = unescaped.value();
  rewrite(unescaped.value(), &value);
  if (now == nullptr || value == unescaped.value()) return;
  std::string changed(spelt);
  unescaped.Spell(value, changed.data());
  for (size_t i = 0; i < spelt.size(); ++i) {
    if (now[i] == spelt[i]) now[i] = changed[i];
  }
}

// The size of the sequence that begins with the escape at the start of `text`, as far as it is
// there; 0: it is of another kind.
size_t StyleSize(std::string_view text) {
  if (text.size() < 2) return text.size();
  if (text[1] == '(' || text[1] == ')') return std::min<size_t>(text.size(), 3);
  if (text[1] != '[') return 0;
  size_t at = 2;
  while (at < text.size() && text[at] >= ' ' && text[at] <= '?') ++at;
  if (at == text.size()) return at;
  return text[at] >= '@' && text[at] <= '~' ? at + 1 : 0;
}

// The number of base64 characters at the start of `text`.
size_t Base64Run(std::string_view text) {
  size_t size = 0;
  while (size < text.size() && SextetOf(text[size]) >= 0) ++size;
  return size;
}

// Decodes the whole bytes of a run, without padding, into *bytes.
void DecodeRun(std::string_view run, std::string* bytes) {
  bytes->clear();
  uint32_t bits = 0;
  int count = 0;
  for (const char c : run) {
    bits = bits << 6 | static_cast<uint32_t>(SextetOf(c));
    count += 6;
    if (count >= 8) {
      count -= 8;
      *bytes += static_cast<char>(bits >> count & 0xff);
    }
  }
}

// Writes `bytes`, changed from `before`, over the run.
void EncodeRun(std::string_view before, std::string_view bytes, char* run, size_t size) {
  const std::string_view spelt(run, size);
  const bool url = spelt.find_first_of("-_") != spelt.npos;
  const auto byte = [&](size_t at) {
    return at < bytes.size() ? static_cast<uint32_t>(static_cast<unsigned char>(bytes[at])) : 0u;
  };
  for (size_t group = 0; group * 3 < bytes.size(); ++group) {
    const size_t at = group * 3;
    if (before.substr(at, 3) == bytes.substr(at, 3)) continue;
    const uint32_t bits = byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2);
    for (size_t i = 0; i < 4 && group * 4 + i < size; ++i) {
      char* const to = run + group * 4 + i;
      const uint32_t sextet = bits >> (18 - 6 * i) & 63;
      if (SextetOf(*to) == static_cast<int>(sextet)) continue;
      *to = url && sextet >= 62 ? (sextet == 62 ? '-' : '_') : kBase64[sextet];
    }
  }
}

}  // namespace

std::string_view Inner(std::string_view value) {
  return value.starts_with('"') ? value.substr(1, value.size() - 2) : value;
}

std::string ValueOf(std::string_view spelt) { return Unescaped(spelt).value(); }

void RewriteValue(std::string_view spelt, char* now, const RewriteText& rewrite) {
  RewriteEscaped(spelt, Unescaped(spelt), now, rewrite);
}

void RewriteUnescaped(std::string_view spelt, char* now, const RewriteText& rewrite) {
  if (spelt.find('\\') == spelt.npos) return;
  const Unescaped unescaped(spelt);
  if (unescaped.any()) RewriteEscaped(spelt, unescaped, now, rewrite);
}

Unstyled::Unstyled(std::string_view text) {
  text_.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t escape = std::min(text.find('\x1b', at), text.size());
    text_.append(text, at, escape - at);
    if (escape == text.size()) break;
    const size_t size = StyleSize(text.substr(escape));
    at = escape + size;
    if (size == 0) {
      text_ += text[at++];
    } else if (!cuts_.empty() && cuts_.back().at == text_.size()) {
      cuts_.back().before += size;
    } else {
      cuts_.push_back({text_.size(), size + (cuts_.empty() ? 0 : cuts_.back().before)});
    }
  }
}

size_t Unstyled::At(size_t at) const {
  const auto after = std::upper_bound(cuts_.begin(), cuts_.end(), at,
                                      [](size_t place, const Cut& cut) { return place < cut.at; });
  return after == cuts_.begin() ? at : at + std::prev(after)->before;
}

std::string Unstyled::Part(const char* copy, size_t at, size_t size) const {
  std::string part(size, '\0');
  for (size_t i = 0; i < size; ++i) part[i] = copy[At(at + i)];
  return part;
}

void Unstyled::Spell(std::string_view part, size_t at, char* copy) const {
  for (size_t i = 0; i < part.size(); ++i) copy[At(at + i)] = part[i];
}

void RewriteBase64(std::string* text, size_t shortest,
                   const std::function<void(std::string*)>& rewrite) {
  const size_t least = shortest * 4 / 3;  // at any position in a group
  std::string bytes, before;
  for (size_t at = 0; at < text->size(); ++at) {
    const size_t run = Base64Run(std::string_view(*text).substr(at));
    // What looks like base64 may begin earlier than the encoded value, as in "token/aGVsbG8": try
    // all four groupings.
    for (size_t skip = 0; skip < 4 && run >= least + skip; ++skip) {
      DecodeRun(std::string_view(*text).substr(at + skip, run - skip), &bytes);
      before = bytes;
      rewrite(&bytes);
      if (bytes == before) continue;
      EncodeRun(before, bytes, text->data() + at + skip, run - skip);
    }
    at += run;
  }
}

std::string Base64Prefix(std::string_view text) {
  std::string bytes;
  DecodeRun(text.substr(0, Base64Run(text)), &bytes);
  return bytes;
}

}  // namespace midwire::trace::redact
