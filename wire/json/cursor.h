// Reads JSON in place, token by token: brackets, names and scalars, each a span of the text. Every
// walker of a whole text uses it, here and in wire/dialect, trace/redact and fuzz/. Copies and
// builds nothing and does not recurse, so that hostile nesting costs no memory.
//
// A cursor sees each token whole. MessageScanner and trace/redact's Redactor cannot use one,
// because their text arrives in pieces: they share the classes of characters (chars.h) and
// SkipNested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "wire/json/chars.h"
#include "wire/json/scan.h"
#include "wire/json/skip_nested.h"
#include "wire/json/utf8.h"

namespace midwire::wire {

enum class JsonSyntax : uint8_t {
  kStrict,   // RFC 8259, strings in UTF-8 (RFC 3629); of any depth
  kLoose,    // the same, but strings may hold any byte except controls; at most kMaxLooseDepth deep
  kLenient,  // checks nothing: returns the tokens of valid JSON, and of other bytes what looks like
             // tokens; never kBroken
};

// Deeper texts are not loose JSON: comparing reads a text again for each level. Real messages nest
// below 100.
inline constexpr size_t kMaxLooseDepth = 512;

// The functions below read one item from `at` and return where it ends. Lenient ones end at `end`
// at the latest; the others return null where the grammar is broken. They take pointers by value,
// and what a cursor does for each token is always inlined: both keep its state in registers, which
// makes IsLooseJson 1.5 times as fast.

// `at`: after the opening quote.
template <JsonSyntax syntax>
[[gnu::noinline]] const char* SkipJsonString(const char* at, const char* end) {
  if constexpr (syntax == JsonSyntax::kLenient) {
    while ((at = FindInString(at, end)) != end && *at != '"') {
      do {  // escapes come in runs: "\n\n"
        at += end - at > 1 ? 2 : 1;
      } while (at != end && *at == '\\');
    }
    return at == end ? end : at + 1;
  } else {
    for (;;) {
      at = FindStringStop<syntax == JsonSyntax::kStrict>(at, end);
      if (at == end) return nullptr;
      if (*at == '"') return at + 1;
      if (*at == '\\') {
        if (end - at < 2 || !IsJsonChar(at[1], kJsonEscape)) return nullptr;
        const bool unit = at[1] == 'u';
        at += 2;
        if (!unit) continue;
        if (end - at < 4) return nullptr;
        for (const char* const stop = at + 4; at != stop; ++at) {
          if (!IsJsonChar(*at, kJsonHexDigit)) return nullptr;
        }
        continue;
      }
      if (static_cast<unsigned char>(*at) < 0x80) return nullptr;
      do {
        const Character character = FirstCharacter({at, static_cast<size_t>(end - at)});
        if (!character.valid) return nullptr;
        at += character.length;
      } while (at != end && static_cast<unsigned char>(*at) >= 0x80);
    }
  }
}

inline const char* SkipJsonDigits(const char* at, const char* end) {
  const char* const from = at;
  while (at != end && IsJsonChar(*at, kJsonDigit)) ++at;
  return at == from ? nullptr : at;
}

inline const char* SkipJsonNumber(const char* at, const char* end) {
  if (at != end && *at == '-') ++at;
  if (at != end && *at == '0') {
    ++at;
  } else if (!(at = SkipJsonDigits(at, end))) {
    return nullptr;
  }
  if (at != end && *at == '.' && !(at = SkipJsonDigits(at + 1, end))) return nullptr;
  if (at == end || (*at != 'e' && *at != 'E')) return at;
  ++at;
  if (at != end && (*at == '-' || *at == '+')) ++at;
  return SkipJsonDigits(at, end);
}

inline const char* SkipJsonWord(std::string_view word, const char* at, const char* end) {
  if (static_cast<size_t>(end - at) < word.size()) return nullptr;
  return std::memcmp(at, word.data(), word.size()) == 0 ? at + word.size() : nullptr;
}

// A string, a number, true, false or null. `at` is not `end`.
template <JsonSyntax syntax>
[[gnu::always_inline]] inline const char* SkipJsonScalar(const char* at, const char* end) {
  if (*at == '"') return SkipJsonString<syntax>(at + 1, end);
  if constexpr (syntax == JsonSyntax::kLenient) {
    do {
      ++at;
    } while (at != end && !IsJsonChar(*at, kJsonStructural));
    return at;
  } else {
    switch (*at) {
      case 't':
        return SkipJsonWord("true", at, end);
      case 'f':
        return SkipJsonWord("false", at, end);
      case 'n':
        return SkipJsonWord("null", at, end);
      default:
        return SkipJsonNumber(at, end);
    }
  }
}

// Lenient. `at`: after the opening bracket.
inline const char* SkipJsonContainer(const char* at, const char* end) {
  Nesting nesting{1, false};
  for (;;) {
    at = SkipNested(at, end, false, &nesting);
    if (nesting.depth == 0 || at == end) return at;
    // A backslash: to the end of its string.
    at = SkipJsonString<JsonSyntax::kLenient>(at, end);
    nesting.in_string = false;
  }
}

// Lenient, any value.
inline const char* SkipJsonValue(const char* at, const char* end) {
  if (at == end) return end;
  if (*at == '{' || *at == '[') return SkipJsonContainer(at + 1, end);
  return SkipJsonScalar<JsonSyntax::kLenient>(at, end);
}

enum class JsonToken : uint8_t {
  kOpen,    // { or [
  kClose,   // } or ]
  kName,    // of a member, with its quotes
  kScalar,  // a string with its quotes, a number, true, false, null
  kEnd,     // one value has been read, and only blanks follow; lenient: the end of the text
  kBroken,  // the grammar does not allow what stands here; never lenient
};

template <JsonSyntax syntax = JsonSyntax::kLenient>
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  // Moves to the next token. After kEnd or kBroken it returns the same again.
  [[gnu::always_inline]] JsonToken Next() {
    // Each case skips its own blanks: a loop before the switch would keep the compiler from jumping
    // from one case to the next without testing `due_`.
    switch (due_) {
      case Due::kValue:
        SkipBlanks();
        return Value();
      case Due::kColon:
        SkipBlanks();
        if (at_ == end_ || *at_ != ':') return Broken();
        ++at_;
        SkipBlanks();
        return Value();
      case Due::kFirst:
        SkipBlanks();
        if (at_ != end_ && *at_ == closing_) return Close();
        return closing_ == '}' ? Name() : Value();
      case Due::kRest:
        SkipBlanks();
        if (depth_ == 0) return at_ == end_ ? JsonToken::kEnd : Broken();
        if (at_ == end_) return Broken();
        if (*at_ == closing_) return Close();
        if (*at_ != ',') return Broken();
        ++at_;
        SkipBlanks();
        return closing_ == '}' ? Name() : Value();
      case Due::kNothing:
        break;
    }
    return JsonToken::kBroken;
  }

  // The token's exact span, until the next call of Next.
  std::string_view text() const { return {from_, static_cast<size_t>(at_ - from_)}; }
  // Open containers, including the one just opened, excluding the one just closed.
  size_t depth() const { return depth_; }

 private:
  enum class Due : uint8_t {
    kValue,    // at the start
    kColon,    // after a name
    kFirst,    // after an opening bracket: a value, a name, or the end of the container
    kRest,     // after a value: a comma, or the end of the container
    kNothing,  // broken
  };

  void SkipBlanks() { at_ = SkipJsonBlanks(at_, end_); }
  [[gnu::always_inline]] JsonToken Value() {
    if (at_ == end_) return Broken();
    from_ = at_;
    if (*at_ == '{' || *at_ == '[') {
      if (!Push(*at_ == '{' ? '}' : ']')) return Broken();
      ++at_;
      due_ = Due::kFirst;
      return JsonToken::kOpen;
    }
    const char* const stop = SkipJsonScalar<syntax>(at_, end_);
    if (!stop) return Broken();
    at_ = stop;
    due_ = Due::kRest;
    return JsonToken::kScalar;
  }
  [[gnu::always_inline]] JsonToken Name() {
    if (at_ == end_ || *at_ != '"') return Broken();
    from_ = at_;
    const char* const stop = SkipJsonString<syntax>(at_ + 1, end_);
    if (!stop) return Broken();
    at_ = stop;
    due_ = Due::kColon;
    return JsonToken::kName;
  }
  [[gnu::always_inline]] JsonToken Close() {
    from_ = at_++;
    Pop();
    due_ = Due::kRest;
    return JsonToken::kClose;
  }
  JsonToken Broken() {
    from_ = at_;
    due_ = Due::kNothing;
    return JsonToken::kBroken;
  }

  // False: too deep.
  bool Push(char closing) {
    if (depth_ < kMaxLooseDepth) {
      outer_[depth_] = closing_;
    } else if (syntax == JsonSyntax::kLoose) {
      return false;
    } else {
      if (!deeper_) deeper_ = std::make_unique<std::string>();
      *deeper_ += closing_;
    }
    ++depth_;
    closing_ = closing;
    return true;
  }
  void Pop() {
    --depth_;
    if (syntax == JsonSyntax::kStrict && depth_ >= kMaxLooseDepth) {
      closing_ = deeper_->back();
      deeper_->pop_back();
    } else {
      closing_ = outer_[depth_];
    }
  }

  const char* at_;
  const char* const end_;
  const char* from_ = nullptr;
  Due due_ = Due::kValue;
  char closing_ = '\0';  // what closes the innermost open container
  size_t depth_ = 0;
  char outer_[kMaxLooseDepth];  // what closes those around it; read up to depth_ only
  // The same beyond kMaxLooseDepth, for hostile texts only. A pointer, because a string member
  // would keep the cursor out of registers.
  std::unique_ptr<std::string> deeper_;
};

// Lenient: keeps no stack, so that any depth is allowed. A string is a name if a colon follows,
// unless it is the value of a name itself.
template <>
class JsonCursor<JsonSyntax::kLenient> {
 public:
  explicit JsonCursor(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  [[gnu::always_inline]] JsonToken Next() {
    while (at_ != end_ && (IsJsonBlank(*at_) || *at_ == ',' || *at_ == ':')) ++at_;
    from_ = at_;
    if (at_ == end_) return JsonToken::kEnd;
    switch (*at_) {
      case '{':
      case '[':
        ++at_;
        ++depth_;
        named_ = false;
        return JsonToken::kOpen;
      case '}':
      case ']':
        ++at_;
        if (depth_ > 0) --depth_;
        named_ = false;
        return JsonToken::kClose;
      case '"': {
        at_ = SkipJsonString<JsonSyntax::kLenient>(at_ + 1, end_);
        const char* const next = SkipJsonBlanks(at_, end_);
        named_ = !named_ && next != end_ && *next == ':';
        return named_ ? JsonToken::kName : JsonToken::kScalar;
      }
      default:
        at_ = SkipJsonScalar<JsonSyntax::kLenient>(at_, end_);
        named_ = false;
        return JsonToken::kScalar;
    }
  }

  // After kOpen: skips to the end of that container, 64 bytes at a time. text() is then all of it.
  void SkipContainer() {
    at_ = SkipJsonContainer(at_, end_);
    --depth_;
  }

  std::string_view text() const { return {from_, static_cast<size_t>(at_ - from_)}; }
  size_t depth() const { return depth_; }

 private:
  const char* at_;
  const char* end_;
  const char* from_ = nullptr;
  size_t depth_ = 0;
  bool named_ = false;  // the last token was a name
};

}  // namespace midwire::wire
