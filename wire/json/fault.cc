#include "wire/json/fault.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "wire/json/ascii.h"
#include "wire/json/cursor.h"
#include "wire/json/escape.h"
#include "wire/json/path.h"
#include "wire/json/utf8.h"

namespace midwire::wire {
namespace {

// Bytes before and after a mistake that are shown.
constexpr size_t kAround = 30;
// "\ud800"
constexpr size_t kUnit = 6;

// Where a cursor has come to.
struct Progress {
  Path path;  // an object that has no name yet has a step of index SIZE_MAX
  size_t broken = std::string_view::npos;
};

// Reads tokens up to the one that contains `stop`, or to a mistake.
Progress ReadTo(std::string_view text, size_t stop) {
  Progress progress;
  std::string arrays;  // per open container: is it an array
  JsonCursor<JsonSyntax::kLoose> cursor(text);
  const auto next_element = [&] {
    if (!arrays.empty() && arrays.back()) ++progress.path.back().index;
  };
  for (;;) {
    const JsonToken token = cursor.Next();
    const size_t from = static_cast<size_t>(cursor.text().data() - text.data());
    if (token == JsonToken::kBroken) {
      progress.broken = from;
      return progress;
    }
    if (token == JsonToken::kEnd) return progress;
    if (token == JsonToken::kName) progress.path.back() = {cursor.text(), 0};
    if (token == JsonToken::kClose) {
      progress.path.pop_back();
      arrays.pop_back();
    }
    if (token != JsonToken::kClose && from + cursor.text().size() > stop) return progress;
    if (token == JsonToken::kOpen) {
      arrays += static_cast<char>(cursor.text() == "[");
      progress.path.push_back({{}, arrays.back() ? 0 : SIZE_MAX});
    } else if (token != JsonToken::kName) {
      next_element();
    }
  }
}

std::string PointerOf(Path path) {
  if (!path.empty() && path.back().name.empty() && path.back().index == SIZE_MAX) path.pop_back();
  return PointerText(path);
}

std::string Shown(unsigned char c) {
  if (c > 0x20 && c < 0x7f) return std::string("'") + static_cast<char>(c) + "'";
  char text[16];
  std::snprintf(text, sizeof text, "byte 0x%02x", c);
  return text;
}

std::string Control(unsigned char c) {
  if (c == 0) return "a NUL byte";
  if (c == '\n') return "a line feed";
  if (c == '\r') return "a carriage return";
  if (c == '\t') return "a tab";
  return "the control character " + Shown(c).substr(5);
}

constexpr std::string_view kNumber = "a number", kWord = "a word", kByte = "an unexpected byte",
                           kControl = "a control character", kEnd = "an early end";

// What programs write that are no JSON writers: Python's str() and json.dumps, JavaScript objects.
struct NoJson {
  std::string_view text, what, kind;
};
constexpr NoJson kNoJson[] = {
    {"'", "a single quote, as in a printed Python dict: JSON has double quotes", "a single quote"},
    {"NaN", "NaN: JSON has no such number", kNumber},
    {"Infinity", "Infinity: JSON has no such number", kNumber},
    {"-Infinity", "-Infinity: JSON has no such number", kNumber},
    {"True", "True: JSON has true", kWord},
    {"False", "False: JSON has false", kWord},
    {"None", "None: JSON has null", kWord},
    {"undefined", "undefined: JSON has null", kWord},
    {"//", "a comment: JSON has none", "a comment"},
    {"/*", "a comment: JSON has none", "a comment"},
};

struct Mistake {
  std::string what{};
  std::string_view kind{};
};

// What stands where a value or a name is due; empty: no mistake that has a name. `broken` may be
// within a word, as behind the sign of -Infinity.
Mistake NameMistake(std::string_view text, size_t broken, bool name_is_due) {
  const bool sign = broken > 0 && text[broken] == 'I' && text[broken - 1] == '-';
  const std::string_view rest = text.substr(broken - (sign ? 1 : 0));
  const size_t before =
      broken > 0 ? text.find_last_not_of(" \t\r\n", broken - 1) : std::string_view::npos;
  const bool after_comma = before != text.npos && text[before] == ',';
  if (after_comma && (text[broken] == ']' || text[broken] == '}')) {
    return {std::string("a comma before '") + text[broken] + "'", "a comma before the end"};
  }
  for (const NoJson& one : kNoJson) {
    if (rest.starts_with(one.text)) return {std::string(one.what), one.kind};
  }
  const bool letter = IsLetter(text[broken]) || text[broken] == '_';
  if (!name_is_due || !letter) return {};
  return {"a name without quotes", "a name without quotes"};
}

// A word that JSON does not have, or a number that it does not write so, at the start of a text: a
// few characters of it. "": neither.
std::string_view WordAt(std::string_view text) {
  constexpr size_t kMaxWord = 24;
  const auto belongs = [](char c) {
    return IsAlphanumeric(c) || c == '_' || c == '.' || c == '+' || c == '-';
  };
  size_t size = 0;
  while (size < std::min(text.size(), kMaxWord) && belongs(text[size])) ++size;
  return text.substr(0, size);
}

// Whether a value may begin there, and nothing else: not after another one.
bool IsValueDue(std::string_view text, size_t at) {
  const size_t before = at > 0 ? text.find_last_not_of(" \t\r\n", at - 1) : text.npos;
  return before == text.npos || std::string_view(":,[").find(text[before]) != text.npos;
}

Mistake ValueMistake(std::string_view word) {
  if (word.empty()) return {};
  if (IsLetter(word[0]) || word[0] == '_') {
    return {std::string(word) + ": JSON has the words true, false and null", kWord};
  }
  return {std::string(word) + ": a number that JSON does not write so", kNumber};
}

// The bytes are not UTF-8.
std::string BadCharacter(std::string_view bytes) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  // U+D800 to U+DFFF, as programs write them that encode each half of a pair by itself.
  const bool surrogate =
      bytes.size() >= 3 && byte(0) == 0xed && (byte(1) & 0xe0) == 0xa0 && (byte(2) & 0xc0) == 0x80;
  if (!surrogate) return Shown(byte(0)) + " is not UTF-8 here";
  char text[64];
  std::snprintf(text, sizeof text, "U+%04X, half of a surrogate pair, which UTF-8 does not have",
                0xd000u | ((byte(1) & 0x3fu) << 6) | (byte(2) & 0x3fu));
  return text;
}

// The first byte that a string may not have; `at` is its opening quote.
JsonFault InString(std::string_view text, size_t at) {
  const size_t from = at++;
  for (; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c == '"') break;
    if (c < 0x20) return {at, "", Control(c) + " in a string: not escaped", kControl};
    if (c != '\\') continue;
    const size_t digits = text.substr(at + 1, 1) == "u" ? 4 : 0;
    const bool known = at + 1 < text.size() && IsJsonChar(text[at + 1], kJsonEscape);
    const std::string_view hex = text.substr(std::min(at + 2, text.size()), digits);
    if (!known || hex.size() < digits ||
        !std::all_of(hex.begin(), hex.end(), [](char h) { return IsJsonChar(h, kJsonHexDigit); })) {
      return {at, "", "an escape that JSON does not have", "an escape"};
    }
    at += 1 + digits;
  }
  return {from, "", "a string without its end", kEnd};
}

}  // namespace

std::optional<JsonFault> FindJsonFault(std::string_view text) {
  Progress progress = ReadTo(text, std::string_view::npos);
  if (progress.broken == text.npos) return std::nullopt;
  const size_t at = progress.broken;
  JsonFault fault{at, "", "", kByte};
  if (at >= text.size()) {
    fault.what = text.empty() ? "nothing" : "the text ends too early";
    fault.kind = kEnd;
    // What is missing follows the last value, unless that is what is missing.
    if (!progress.path.empty() &&
        !text.substr(0, text.find_last_not_of(" \t\r\n") + 1).ends_with(':')) {
      progress.path.pop_back();
    }
  } else if (text[at] == '"') {
    fault = InString(text, at);
  } else if (static_cast<unsigned char>(text[at]) < 0x20) {
    fault.what = Control(static_cast<unsigned char>(text[at])) + " outside of a string";
    fault.kind = kControl;
  } else if (progress.path.empty() && at > 0) {
    fault.what = Shown(static_cast<unsigned char>(text[at])) + " after the JSON text";
  } else {
    const bool in_object = !progress.path.empty() && progress.path.back().name.empty() &&
                           progress.path.back().index == SIZE_MAX;
    Mistake mistake = NameMistake(text, at, in_object);
    const bool value_is_due = !in_object && IsValueDue(text, at);
    if (mistake.what.empty() && value_is_due) mistake = ValueMistake(WordAt(text.substr(at)));
    if (mistake.what.empty()) {
      mistake = {Shown(static_cast<unsigned char>(text[at])) + " where JSON has none", kByte};
    }
    fault.what = std::move(mistake.what);
    fault.kind = mistake.kind;
  }
  fault.pointer = PointerOf(std::move(progress.path));
  return fault;
}

std::optional<JsonFault> FindBadUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Character character = FirstCharacter(text.substr(at));
    if (!character.valid) {
      return JsonFault{at, PointerOf(ReadTo(text, at).path), BadCharacter(text.substr(at))};
    }
    at += character.length;
  }
  return std::nullopt;
}

std::optional<JsonFault> FindLoneSurrogate(std::string_view text) {
  // The four digits of an escape at `at`; 0: there is none.
  const auto unit = [text](size_t at) -> unsigned {
    if (at + kUnit > text.size() || text[at] != '\\' || text[at + 1] != 'u') return 0;
    const std::string hex(text.substr(at + 2, 4));
    return static_cast<unsigned>(std::strtoul(hex.c_str(), nullptr, 16));
  };
  for (size_t at = text.find('\\'); at < text.size(); at = text.find('\\', at)) {
    const unsigned code = unit(at);
    const bool high = code >= 0xd800 && code < 0xdc00, low = code >= 0xdc00 && code < 0xe000;
    const unsigned next = high ? unit(at + kUnit) : 0;
    if (low || (high && (next < 0xdc00 || next >= 0xe000))) {
      return JsonFault{at, PointerOf(ReadTo(text, at).path),
                       "half of a surrogate pair: it stands for no character"};
    }
    at += high ? 2 * kUnit : 2;
  }
  return std::nullopt;
}

std::string Around(std::string_view text, size_t offset) {
  size_t from = offset - std::min(offset, kAround);
  size_t to = std::min(text.size(), offset + kAround);
  // Not within a character, as far as the text is UTF-8.
  const auto inside = [text](size_t at) { return at < text.size() && IsWithinCharacter(text[at]); };
  for (int i = 0; i < 3 && from > 0 && inside(from); ++i) --from;
  for (int i = 0; i < 3 && inside(to); ++i) ++to;
  std::string around = from > 0 ? "..." : "";
  AppendEscaped(text.substr(from, to - from), &around);
  if (to < text.size()) around += "...";
  return around;
}

}  // namespace midwire::wire
