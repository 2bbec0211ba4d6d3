#include "wire/dialect/regex_syntax.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "wire/json/ascii.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"

namespace midwire::wire {
namespace {

// ECMA-262 WhiteSpace and LineTerminator, which are \s, and all others, which are \S.
constexpr std::string_view kSpaces =
    R"(\x{9}-\x{d}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff})";
constexpr std::string_view kNoSpaces =
    R"(\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027})"
    R"(\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";
constexpr std::string_view kAnyButLineEnds = R"([^\n\r\x{2028}\x{2029}])";
constexpr std::string_view kAnyCharacter = R"([\x{0}-\x{10ffff}])";
constexpr std::string_view kNoCharacter = R"([^\x{0}-\x{10ffff}])";
constexpr uint32_t kLastCharacter = 0x10ffff;

std::string Spelt(uint32_t code) {
  if (code < 0x80 && IsAlphanumeric(static_cast<char>(code))) {
    return {static_cast<char>(code)};
  }
  std::array<char, 8> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), code, 16).ptr;
  return "\\x{" + std::string(digits.data(), end) + "}";
}

// The meaning of an escape or a plain character: one character, or a set of them.
struct Atom {
  std::optional<uint32_t> code;
  std::string set;  // to stand inside of a class
};

class Translator {
 public:
  explicit Translator(std::string_view pattern) : rest_(pattern) {}

  Result<std::string> Run() {
    while (!rest_.empty() && wrong_.empty()) Step();
    if (!wrong_.empty()) return Error{wrong_, "", ""};
    return std::move(out_);
  }

 private:
  void Wrong(std::string what) {
    if (wrong_.empty()) wrong_ = std::move(what);
  }
  bool Take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  uint32_t TakeCharacter() {
    const wire::Character first = FirstCharacter(rest_);
    rest_.remove_prefix(first.length);
    return first.code;
  }

  void Step() {
    if (Take("(")) {
      // Captures are not needed.
      if (rest_.starts_with("?") && !Take("?:")) return WrongGroup();
      out_ += "(?:";
    } else if (Take("[")) {
      Class();
    } else if (Take(".")) {
      out_ += kAnyButLineEnds;
    } else if (Take("$")) {
      out_ += "\\z";
    } else if (Take("\\b")) {
      out_ += "\\b";
    } else if (Take("\\B")) {
      out_ += "\\B";
    } else if (rest_.front() == '{') {
      Brace();
    } else if (std::string_view(")|*+?^").find(rest_.front()) != std::string_view::npos) {
      out_ += rest_.front();
      rest_.remove_prefix(1);
    } else {
      const Atom atom = TakeAtom();
      out_ += atom.code ? Spelt(*atom.code) : "[" + atom.set + "]";
    }
  }

  void WrongGroup() {
    for (const std::string_view look : {"?=", "?!", "?<=", "?<!"}) {
      if (rest_.starts_with(look)) return Wrong("lookahead and lookbehind are not supported");
    }
    Wrong("a group other than \"(\" and \"(?:\" is not supported");
  }

  // A quantifier, else the character itself (ECMA-262, annex B.1.2).
  void Brace() {
    size_t size = 1;
    const auto digits = [&] {
      const size_t before = size;
      while (size < rest_.size() && IsDigit(rest_[size])) ++size;
      return size > before;
    };
    bool quantifier = digits();
    if (size < rest_.size() && rest_[size] == ',') {
      ++size;
      digits();
    }
    quantifier = quantifier && size < rest_.size() && rest_[size] == '}';
    out_ += quantifier ? rest_.substr(0, size + 1) : "\\{";
    rest_.remove_prefix(quantifier ? size + 1 : 1);
  }

  void Class() {
    const bool inverted = Take("^");
    std::string set;
    while (!Take("]")) {
      if (rest_.empty()) return Wrong("a class without its \"]\"");
      const Atom first = TakeClassAtom();
      // A "-" at the end, or beside a set, is itself.
      const bool range = first.code && rest_.starts_with('-') && !rest_.starts_with("-]");
      if (!range) {
        set += first.code ? Spelt(*first.code) : first.set;
        continue;
      }
      Take("-");
      if (rest_.empty()) continue;
      const Atom last = TakeClassAtom();
      if (!last.code) {
        set += Spelt(*first.code) + Spelt('-') + last.set;
      } else if (*last.code < *first.code) {
        Wrong("a range of a class that ends before it begins");
      } else {
        set += Spelt(*first.code) + "-" + Spelt(*last.code);
      }
    }
    if (set.empty()) {
      out_ += inverted ? kAnyCharacter : kNoCharacter;
    } else {
      out_ += (inverted ? "[^" : "[") + set + "]";
    }
  }

  Atom TakeClassAtom() {
    if (Take("\\b")) return {.code = 8, .set = {}};
    if (Take("\\-")) return {.code = '-', .set = {}};
    return TakeAtom();
  }

  Atom TakeAtom() {
    const std::string_view before = rest_;
    if (!Take("\\")) return {.code = TakeCharacter(), .set = {}};
    if (rest_.empty()) {
      Wrong("a \"\\\" at the end");
      return {};
    }
    const char c = rest_.front();
    if (!IsAlphanumeric(c)) return {.code = TakeCharacter(), .set = {}};
    rest_.remove_prefix(1);
    switch (c) {
      case 'd':
      case 'D':
      case 'w':
      case 'W':
        return {.code = {}, .set = {'\\', c}};
      case 's':
        return {.code = {}, .set = std::string(kSpaces)};
      case 'S':
        return {.code = {}, .set = std::string(kNoSpaces)};
      case 't':
        return {.code = '\t', .set = {}};
      case 'n':
        return {.code = '\n', .set = {}};
      case 'v':
        return {.code = '\v', .set = {}};
      case 'f':
        return {.code = '\f', .set = {}};
      case 'r':
        return {.code = '\r', .set = {}};
      case 'p':
      case 'P':
        if (const std::string name = TakeBraced(); !name.empty()) {
          return {.code = {}, .set = std::string{'\\', c} + "{" + name + "}"};
        }
        break;
      case 'c':
        if (!rest_.empty() && IsLetter(rest_.front()))
          return {.code = TakeCharacter() % 32, .set = {}};
        break;
      case '0':
        if (rest_.empty() || !IsDigit(rest_.front())) return {.code = 0, .set = {}};
        break;
      case 'x':
        if (const auto code = TakeHex(2)) return {.code = code, .set = {}};
        break;
      case 'u':
        if (const auto code = TakeUnicode()) return {.code = code, .set = {}};
        break;
      default:
        if (IsDigit(c) || c == 'k') {
          Wrong("backreferences are not supported");
          return {};
        }
    }
    const size_t shown = std::min<size_t>(before.size(), 2);
    Wrong("no escape of ECMA-262: " + std::string(before.substr(0, shown)));
    return {};
  }

  // "{NAME}", or "": no name.
  std::string TakeBraced() {
    const size_t end = rest_.find('}');
    if (!rest_.starts_with('{') || end == rest_.npos) return "";
    const std::string name(rest_.substr(1, end - 1));
    for (const char c : name) {
      if (!IsLetter(c) && c != '_') return "";
    }
    rest_.remove_prefix(end + 1);
    return name;
  }
  std::optional<uint32_t> TakeHex(size_t digits) {
    uint32_t code = 0;
    if (digits == 0 || rest_.size() < digits) return std::nullopt;
    const char* const end = rest_.data() + digits;
    if (std::from_chars(rest_.data(), end, code, 16).ptr != end) return std::nullopt;
    rest_.remove_prefix(digits);
    return code;
  }
  // XXXX, XXXX\uXXXX (a surrogate pair) or {X...}, after \u.
  std::optional<uint32_t> TakeUnicode() {
    if (rest_.starts_with('{')) {
      const size_t end = rest_.find('}');
      if (end == rest_.npos || end > 9) return std::nullopt;
      rest_.remove_prefix(1);
      const auto code = TakeHex(end - 1);
      if (!code || *code > kLastCharacter || IsSurrogate(*code)) return std::nullopt;
      rest_.remove_prefix(1);
      return code;
    }
    const auto high = TakeHex(4);
    if (!high || !IsSurrogate(*high)) return high;
    if (IsHighSurrogate(*high) && Take("\\u")) {
      const auto low = TakeHex(4);
      if (low && IsLowSurrogate(*low)) return 0x10000 + ((*high - 0xd800) << 10) + (*low - 0xdc00);
    }
    Wrong("half of a surrogate pair is not a character; write \\u{1f600} or both halves");
    return std::nullopt;
  }

  std::string_view rest_;
  std::string out_, wrong_;
};

}  // namespace

Result<std::string> ToRe2Syntax(std::string_view pattern) { return Translator(pattern).Run(); }

}  // namespace midwire::wire
