#include "wire/json/quote.h"

#include <cstdint>

#include "wire/json/ascii.h"
#include "wire/json/chars.h"
#include "wire/json/escape.h"
#include "wire/json/scan.h"
#include "wire/json/utf8.h"

namespace midwire::wire {
namespace {

constexpr std::string_view kReplacementText = "\xef\xbf\xbd";  // U+FFFD

void AppendUnit(uint32_t unit, std::string* out) {
  *out += "\\u";
  AppendHex(unit, 4, out);
}

// \u escapes; above U+FFFF a surrogate pair (RFC 8259, clause 7).
void AppendUnits(uint32_t code, std::string* out) {
  if (code <= 0xffff) return AppendUnit(code, out);
  AppendUnit(0xd800 + ((code - 0x10000) >> 10), out);
  AppendUnit(0xdc00 + ((code - 0x10000) & 0x3ff), out);
}

// What stands for itself in JSON on a terminal, or must not.
void AppendCharacter(const Character& character, std::string_view text, std::string* out) {
  if (!character.valid) {
    *out += kReplacementText;
  } else if (IsHostile(character.code)) {
    AppendUnits(character.code, out);
  } else {
    out->append(text.substr(0, character.length));
  }
}

}  // namespace

void AppendJsonString(std::string_view utf8, std::string* out) {
  constexpr size_t kShort = 48;  // most names and ids: appended as one piece
  const char* const end = utf8.data() + utf8.size();
  if (utf8.size() <= kShort && FindNotPlain(utf8.data(), end) == end) {
    char piece[kShort + 2];
    piece[0] = '"';
    utf8.copy(piece + 1, utf8.size());
    piece[utf8.size() + 1] = '"';
    out->append(piece, utf8.size() + 2);
    return;
  }
  *out += '"';
  for (;;) {
    const char* const from = utf8.data();
    const size_t plain = static_cast<size_t>(FindNotPlain(from, from + utf8.size()) - from);
    out->append(utf8.substr(0, plain));
    utf8.remove_prefix(plain);
    if (utf8.empty()) break;
    static constexpr std::string_view kSpecial = "\"\\\n\r\t", kLetters = "\"\\nrt";
    if (const size_t special = kSpecial.find(utf8.front()); special != kSpecial.npos) {
      *out += '\\';
      *out += kLetters[special];
      utf8.remove_prefix(1);
      continue;
    }
    const Character character = FirstCharacter(utf8);
    AppendCharacter(character, utf8, out);
    utf8.remove_prefix(character.length);
  }
  *out += '"';
}

std::string JsonString(std::string_view utf8) {
  std::string quoted;
  AppendJsonString(utf8, &quoted);
  return quoted;
}

void AppendJsonOnOneLine(std::string_view json, std::string* out) {
  for (;;) {
    const size_t plain = PlainPrefix(json);
    out->append(json.substr(0, plain));
    json.remove_prefix(plain);
    if (json.empty()) return;
    const Character character = FirstCharacter(json);
    if (IsJsonBlank(json.front())) {
      *out += ' ';
    } else {
      AppendCharacter(character, json, out);
    }
    json.remove_prefix(character.length);
  }
}

}  // namespace midwire::wire
