// The half of json.h that works on the text as it stands: validate, find members, write, indent.
#include <algorithm>
#include <array>
#include <cstring>

#include "wire/json/escape.h"
#include "wire/json/utf8.h"
#include "wire/json/value.h"

namespace midwire::wire {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Bytes that stand for themselves in a JSON string: printable ASCII but quote and backslash. (DEL
// may stand raw, too: the slow path lets it pass when reading and escapes it when writing.)
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (int c = 0x20; c < 0x7F; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

// Walks a JSON text by its grammar. Every Skip is false when what it names is not there.
class Walker {
 public:
  explicit Walker(std::string_view text) : p_(text.data()), end_(p_ + text.size()) {}

  const char* at() const { return p_; }
  bool at_end() const { return p_ == end_; }
  void SkipBlanks() {
    while (p_ < end_ && IsBlank(*p_)) ++p_;
  }
  bool SkipChar(char c) { return p_ < end_ && *p_ == c && (++p_, true); }

  bool SkipString() {
    if (!SkipChar('"')) return false;
    while (p_ < end_) {
      unsigned char c = *p_;
      if (kPlain[c]) {
        ++p_;
      } else if (c == '"') {
        ++p_;
        return true;
      } else if (c == '\\') {
        if (!SkipEscape()) return false;
      } else if (c < 0x20) {
        return false;
      } else {
        Character character = FirstCharacter({p_, static_cast<size_t>(end_ - p_)});
        if (!character.valid) return false;
        p_ += character.length;
      }
    }
    return false;
  }

  bool SkipName() {  // and its colon, and the blanks around
    SkipBlanks();
    if (!SkipString()) return false;
    SkipBlanks();
    return SkipChar(':');
  }

  bool SkipValue() {
    in_object_.clear();
    for (;;) {
      SkipBlanks();
      if (p_ == end_) return false;
      char c = *p_;
      if (c == '{' || c == '[') {
        bool object = c == '{';
        ++p_;
        SkipBlanks();
        if (!SkipChar(object ? '}' : ']')) {
          in_object_.push_back(object);
          if (object && !SkipName()) return false;
          continue;
        }
      } else if (!SkipScalar()) {
        return false;
      }
      for (;;) {  // a value has ended: what may follow depends on what it is in
        if (in_object_.empty()) return true;
        SkipBlanks();
        bool object = in_object_.back();
        if (SkipChar(',')) {
          if (object && !SkipName()) return false;
          break;
        }
        if (!SkipChar(object ? '}' : ']')) return false;
        in_object_.pop_back();
      }
    }
  }

 private:
  bool SkipEscape() {
    if (end_ - p_ < 2) return false;
    char c = p_[1];
    if (c != 'u') {
      if (c == '\0' || std::strchr("\"\\/bfnrt", c) == nullptr) return false;
      p_ += 2;
      return true;
    }
    if (end_ - p_ < 6) return false;
    for (int i = 2; i < 6; ++i) {
      if (!IsHex(p_[i])) return false;
    }
    p_ += 6;
    return true;
  }

  bool SkipDigits() {
    const char* start = p_;
    while (p_ < end_ && IsDigit(*p_)) ++p_;
    return p_ > start;
  }

  bool SkipNumber() {
    SkipChar('-');
    if (!SkipChar('0') && !SkipDigits()) return false;
    if (SkipChar('.') && !SkipDigits()) return false;
    if (SkipChar('e') || SkipChar('E')) {
      if (!SkipChar('+')) SkipChar('-');
      return SkipDigits();
    }
    return true;
  }

  bool SkipWord(std::string_view word) {
    if (std::string_view(p_, end_ - p_).substr(0, word.size()) != word) return false;
    p_ += word.size();
    return true;
  }

  bool SkipScalar() {
    switch (*p_) {
      case '"':
        return SkipString();
      case 't':
        return SkipWord("true");
      case 'f':
        return SkipWord("false");
      case 'n':
        return SkipWord("null");
      default:
        return SkipNumber();
    }
  }

  const char* p_;
  const char* end_;
  std::vector<bool> in_object_;  // what is open: an object, or an array
};

void AppendEscape(uint32_t code, std::string* out) {
  static constexpr char kHex[] = "0123456789abcdef";
  if (code > 0xFFFF) {  // a surrogate pair (RFC 8259, clause 7)
    AppendEscape(0xD800 + ((code - 0x10000) >> 10), out);
    code = 0xDC00 + ((code - 0x10000) & 0x3FF);
  }
  out->append("\\u");
  for (int shift = 12; shift >= 0; shift -= 4) out->push_back(kHex[(code >> shift) & 15]);
}

void AppendSpecial(const Character& character, std::string_view bytes, std::string* out) {
  switch (character.code) {
    case '"':
      out->append("\\\"");
      return;
    case '\\':
      out->append("\\\\");
      return;
    case '\n':
      out->append("\\n");
      return;
    case '\r':
      out->append("\\r");
      return;
    case '\t':
      out->append("\\t");
      return;
  }
  if (!character.valid) {
    out->append("\xEF\xBF\xBD");
  } else if (IsHostile(character.code)) {
    AppendEscape(character.code, out);
  } else {
    out->append(bytes);
  }
}

// What PrettyJson collects before it hands it out; longer strings go out by themselves.
constexpr size_t kPrettyPiece = 64 * 1024;

}  // namespace

bool IsUtf8(std::string_view text) {
  Utf8Check check;
  check.Feed(text);
  return check.valid();
}

bool IsJson(std::string_view text) {
  Walker walker(text);
  if (!walker.SkipValue()) return false;
  walker.SkipBlanks();
  return walker.at_end();
}

bool RawMembers(std::string_view object, std::vector<RawMember>* members) {
  Walker walker(object);
  walker.SkipBlanks();
  if (!walker.SkipChar('{')) return false;
  walker.SkipBlanks();
  if (!walker.SkipChar('}')) {
    do {
      walker.SkipBlanks();
      const char* name = walker.at();
      if (!walker.SkipString()) return false;
      RawMember member{std::string_view(name + 1, walker.at() - name - 2), {}};
      walker.SkipBlanks();
      if (!walker.SkipChar(':')) return false;
      walker.SkipBlanks();
      const char* value = walker.at();
      if (!walker.SkipValue()) return false;
      member.value = std::string_view(value, walker.at() - value);
      members->push_back(member);
      walker.SkipBlanks();
    } while (walker.SkipChar(','));
    if (!walker.SkipChar('}')) return false;
  }
  walker.SkipBlanks();
  return walker.at_end();
}

void AppendJsonString(std::string_view utf8, std::string* out) {
  out->push_back('"');
  while (!utf8.empty()) {
    size_t plain = 0;
    while (plain < utf8.size() && kPlain[static_cast<unsigned char>(utf8[plain])]) ++plain;
    out->append(utf8.substr(0, plain));
    utf8.remove_prefix(plain);
    if (utf8.empty()) break;
    Character character = FirstCharacter(utf8);
    AppendSpecial(character, utf8.substr(0, character.length), out);
    utf8.remove_prefix(character.length);
  }
  out->push_back('"');
}

void PrettyJson(std::string_view text, const std::function<void(std::string_view)>& write) {
  if (!IsJson(text)) return write(text);
  std::string out;
  size_t level = 0;
  auto settle = [&](size_t at_least) {
    if (out.size() < at_least) return;
    write(out);
    out.clear();
  };
  auto new_line = [&](size_t inner) {  // of the container that it stands in
    if (inner > kMaxIndentLevels) return;
    out.push_back('\n');
    out.append(2 * level, ' ');
  };
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (IsBlank(c)) continue;
    settle(kPrettyPiece);
    if (c == '"') {
      size_t close = i + 1;
      while (text[close] != '"') close += text[close] == '\\' ? 2 : 1;
      std::string_view quoted = text.substr(i, close + 1 - i);
      if (quoted.size() < kPrettyPiece) {
        out.append(quoted);
      } else {
        settle(1);
        write(quoted);
      }
      i = close;
    } else if (c == '{' || c == '[') {
      size_t next = text.find_first_not_of(" \t\r\n", i + 1);
      out.push_back(c);
      if (text[next] == '}' || text[next] == ']') {
        out.push_back(text[next]);
        i = next;
      } else {
        ++level;
        new_line(level);
      }
    } else if (c == '}' || c == ']') {
      --level;
      new_line(level + 1);
      out.push_back(c);
    } else if (c == ',') {
      out.push_back(c);
      new_line(level);
    } else if (c == ':') {
      out.append(": ");
    } else {
      out.push_back(c);
    }
  }
  settle(1);
}

}  // namespace midwire::wire
