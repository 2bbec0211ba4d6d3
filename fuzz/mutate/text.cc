// Text mutators: damage that a JSON document cannot represent. The result is often not JSON, or
// JSON that parsers disagree about.
#include <algorithm>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/message_spans.h"
#include "fuzz/mutate/mutate.h"
#include "wire/json/ascii.h"
#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

using wire::JsonType;

std::optional<Node> PickEvenInJunk(Mutation* m, unsigned types, unsigned places = kAnyPlace) {
  return PickInMessage(m->target().body(), types, places, m->random);
}

// Inserts one of these inside a string.
bool InString(Mutation* m, std::initializer_list<std::string_view> of) {
  const auto node = PickEvenInJunk(m, Of(JsonType::kString));
  if (!node || node->size < 2) return false;
  const std::string_view body = m->target().body();
  size_t at = node->at + 1 + m->random->Below(node->size - 1);
  // Not between a backslash and the escaped character: then that escape would be the error.
  while (at > node->at + 1 && body[at - 1] == '\\') --at;
  return ReplaceInBody(m, at, 0, OneOf(m->random, of));
}

// Replaces a value by one of these.
bool AsText(Mutation* m, unsigned types, std::initializer_list<std::string_view> of) {
  const auto node = PickEvenInJunk(m, types, kInside);
  return node && ReplaceInBody(m, node->at, node->size, OneOf(m->random, of));
}

bool DuplicateName(Mutation* m) {
  const auto node = PickEvenInJunk(m, kAnyType, kMember);
  if (!node) return false;
  const std::string_view body = m->target().body();
  // A repeated name with an equal value changes nothing; another value shows which one a parser
  // takes.
  std::string text = std::string(node->name(body)) + ":";
  text += m->random->OneIn(3) ? node->text(body)
                              : OneOf(m->random, {"null", "0", "\"\"", "{}", "[]", "true"});
  text += ',';
  return ReplaceInBody(m, node->name_at, 0, text);
}

bool Nest(Mutation* m, std::string_view open, std::string_view inner, std::string_view close) {
  const auto node = PickEvenInJunk(m, kAnyType);
  if (!node) return false;
  const size_t room = m->room() + node->size;
  const size_t fit = (room > 64 ? room - 64 : 0) / (open.size() + close.size());
  // Around the default limits of parsers, and beyond what a stack holds.
  constexpr size_t kDepths[] = {17,  33,   65,   101,    129,     257,
                                513, 1001, 1025, 10'000, 100'000, 1'000'000};
  const size_t index = std::min(m->random->Below(std::size(kDepths)),
                                m->random->Below(std::size(kDepths)));  // deep ones are expensive
  const size_t depth = std::min(fit, kDepths[index]);
  if (depth == 0) return false;
  std::string text = Repeated(open, depth);
  text += inner;
  text += Repeated(close, depth);
  return ReplaceInBody(m, node->at, node->size, text);
}

bool Truncate(Mutation* m) {
  const size_t size = m->target().body().size();
  if (size == 0) return false;
  const size_t keep = m->random->Below(size);
  return ReplaceInBody(m, keep, size - keep, "");
}

// Before the bracket that closes a container, or after the one that opens it.
bool AtBracket(Mutation* m, bool closing, std::initializer_list<std::string_view> of) {
  const auto node = PickEvenInJunk(m, kContainers);
  if (!node || node->size < 2) return false;
  return ReplaceInBody(m, closing ? node->end() - 1 : node->at + 1, 0, OneOf(m->random, of));
}

bool SingleQuotes(Mutation* m) {
  const auto node = PickEvenInJunk(m, Of(JsonType::kString));
  if (!node || node->size < 2) return false;
  std::string text(node->text(m->target().body()));
  text.front() = text.back() = '\'';
  return ReplaceInBody(m, node->at, node->size, text);
}

bool UnquotedName(Mutation* m) {
  const auto node = PickEvenInJunk(m, kAnyType, kMember);
  if (!node || node->name_size < 2) return false;
  const std::string text(m->target().body().substr(node->name_at + 1, node->name_size - 2));
  return ReplaceInBody(m, node->name_at, node->name_size, text);
}

bool LongNumber(Mutation* m) {
  const auto node = PickEvenInJunk(m, kScalars, kInside);
  if (!node) return false;
  const size_t digits = SomeOf(m->random, std::min(kLongest, m->room()));
  if (digits == 0) return false;
  std::string text(digits, char('1' + m->random->Below(9)));
  const size_t kind = m->random->Below(4);
  if (kind == 0) text = "0." + text;
  if (kind == 1) text = "-" + text;
  if (kind == 2) text = "1e" + text;
  return ReplaceInBody(m, node->at, node->size, text);
}

// The same string with its first character as an escape.
bool EscapedName(Mutation* m) {
  const auto node = PickEvenInJunk(m, kAnyType, kMember);
  if (!node || node->name_size < 3) return false;
  const auto c = static_cast<unsigned char>(m->target().body()[node->name_at + 1]);
  if (c >= 0x80 || c == '\\') return false;
  std::string escape = "\\u";
  wire::AppendHex(c, 4, &escape);
  return ReplaceInBody(m, node->name_at + 1, 1, escape);
}

// Many multi-byte characters, so that a reader's buffer likely ends inside one. They begin at any
// offset, because aligned ones would end where a buffer of 16 bytes does.
bool ManyMultibyte(Mutation* m) {
  const auto node = PickEvenInJunk(m, Of(JsonType::kString));
  if (!node || node->size < 2) return false;
  const size_t room = m->room();
  const std::string_view character = OneOf(m->random, {"\u00e9", "\u20ac", "\U0001F600"});
  const size_t fit = std::min(kLongest, room > 64 ? room - 64 : 0) / character.size();
  std::string text(m->random->Below(4), 'a');
  text += Repeated(character, SomeOf(m->random, fit));
  return ReplaceInBody(m, node->at + 1, 0, text);
}

bool ReplaceAll(Mutation* m, std::initializer_list<std::string_view> with) {
  return ReplaceInBody(m, 0, m->target().body().size(), OneOf(m->random, with));
}

bool AtEnd(Mutation* m, std::initializer_list<std::string_view> of) {
  return ReplaceInBody(m, m->target().body().size(), 0, OneOf(m->random, of));
}

constexpr MutatorSpec kTextMutators[] = {
    {"text.raw-bytes", Level::kText, MutateRaw},
    {"text.raw-in-string", Level::kText, MutateRawInString},
    {"text.raw-in-number", Level::kText, MutateRawInNumber},
    {"text.lone-surrogate", Level::kText,
     [](Mutation* m) {
       return InString(m, {"\\ud800", "\\udfff", "\\uDC00\\uD800", "\\ud83d", "\\ud83d\\u0041"});
     }},
    {"text.invalid-utf8", Level::kText,
     [](Mutation* m) {
       // A lone continuation, a cut sequence, overlong, a surrogate, above U+10FFFF, never a byte.
       return InString(m, {"\x80", "\xe2\x82", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                           "\xff", "\xf0\x9f"});
     }},
    {"text.duplicate-name", Level::kText, DuplicateName},
    {"text.not-a-number", Level::kText,
     [](Mutation* m) {
       return AsText(m, kScalars, {"NaN", "Infinity", "-Infinity", "nan", "-nan", "undefined"});
     }},
    {"text.number-overflow", Level::kText,
     [](Mutation* m) {
       return AsText(m, kScalars,
                     {"1e309", "-1e309", "1e400", "1e99999", "1e-400", "1e2147483648",
                      "1e9223372036854775808", "4.9e-324", "1.7976931348623159e308"});
     }},
    {"text.raw-newline", Level::kText,
     [](Mutation* m) {
       return InString(m, {"\n", "\r\n", "\r", "\n\n"});
     }},
    {"text.line-separator", Level::kText,
     [](Mutation* m) {
       return InString(m, {"\u2028", "\u2029", "\u0085", "\v", "\f"});
     }},
    {"text.nested-arrays", Level::kText, [](Mutation* m) { return Nest(m, "[", "", "]"); }},
    {"text.nested-objects", Level::kText, [](Mutation* m) { return Nest(m, "{\"a\":", "0", "}"); }},
    {"text.nested-open", Level::kText,
     [](Mutation* m) { return Nest(m, m->random->OneIn(2) ? "[" : "{\"\":", "", ""); }},
    {"text.truncate", Level::kText, Truncate},
    {"text.trailing-comma", Level::kText,
     [](Mutation* m) {
       return AtBracket(m, true, {",", ",,", ", "});
     }},
    {"text.leading-comma", Level::kText,
     [](Mutation* m) {
       return AtBracket(m, false, {",", ":"});
     }},
    {"text.comment", Level::kText,
     [](Mutation* m) {
       return AtBracket(m, m->random->OneIn(2), {"/**/", "/* a */", "#\n", "//"});
     }},
    {"text.single-quotes", Level::kText, SingleQuotes},
    {"text.unquoted-name", Level::kText, UnquotedName},
    {"text.long-number", Level::kText, LongNumber},
    {"text.odd-number", Level::kText,
     [](Mutation* m) {
       return AsText(m, Of(JsonType::kNumber),
                     {"01", "+1", "0x10", ".5", "5.", "1e", "-", "--1", "1_000", "0b1", "\u0661"});
     }},
    {"text.odd-literal", Level::kText,
     [](Mutation* m) {
       return AsText(m, kScalars, {"True", "None", "nil", "nul", "TRUE", "t"});
     }},
    {"text.control-character", Level::kText,
     [](Mutation* m) {
       return InString(m, {kNul, "\x01", "\x1b[2J", "\x7f", "\t", "\b"});
     }},
    {"text.escaped-nul", Level::kText,
     [](Mutation* m) {
       return InString(m, {"\\u0000", "\\u0000\\u0000", "a\\u0000b"});
     }},
    {"text.bad-escape", Level::kText,
     [](Mutation* m) {
       return InString(m, {"\\x41", "\\u12", "\\uZZZZ", "\\'", "\\0", "\\u{1F600}", "\\"});
     }},
    {"text.escaped-name", Level::kText, EscapedName},
    {"text.non-ascii", Level::kText,
     [](Mutation* m) {
       return InString(m, {"\u00e9", "\u20ac", "\U0001F600", "e\u0301", "\u202e", "\ufeff",
                           "\u0130", "\U0001F468\u200d\U0001F469", "\ufffd", "\uffff"});
     }},
    {"text.many-multibyte", Level::kText, ManyMultibyte},
    {"text.unterminated-string", Level::kText,
     [](Mutation* m) {
       const auto node = PickEvenInJunk(m, Of(JsonType::kString));
       return node && node->size >= 2 && ReplaceInBody(m, node->end() - 1, 1, "");
     }},
    {"text.byte-order-mark", Level::kText,
     [](Mutation* m) { return ReplaceInBody(m, 0, 0, "\ufeff"); }},
    {"text.utf16", Level::kText,
     [](Mutation* m) {
       std::string wide;
       wide.reserve(2 * m->target().body().size());
       for (const char c : m->target().body()) (wide += c) += '\0';
       return ReplaceInBody(m, 0, m->target().body().size(), wide);
     }},
    {"text.empty", Level::kText,
     [](Mutation* m) {
       return ReplaceAll(m, {"", " ", "\t"});
     }},
    {"text.scalar", Level::kText,
     [](Mutation* m) {
       return ReplaceAll(m, {"null", "0", "\"\"", "true", "{}", "[[]]", "{"});
     }},
    {"text.trailing-text", Level::kText,
     [](Mutation* m) {
       return AtEnd(m, {"}", "]", "{}", " x", ",", kNul, "null", ";"});
     }},
    {"text.many-blanks", Level::kText,
     [](Mutation* m) {
       const auto node = PickEvenInJunk(m, kAnyType);
       if (!node) return false;
       const size_t room = m->room();
       const size_t count = SomeOf(m->random, std::min(kLongest, room > 64 ? room - 64 : 0));
       return ReplaceInBody(m, node->at, 0, std::string(count, m->random->OneIn(2) ? ' ' : '\t'));
     }},
    {"text.wanted-bytes", Level::kText, MutateComparedBytes},
};

}  // namespace

std::span<const MutatorSpec> TextMutators() { return kTextMutators; }

}  // namespace midwire::fuzz
