#include "json.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "wire/json/utf8.h"

namespace zoo {
namespace {

// Of a level of a value on the stack: what real parsers keep there is about as large.
constexpr size_t kScratch = 4096;

class Parser {
 public:
  Parser(std::string_view text, const ParseOptions& options)
      : at_(text.data()), end_(text.data() + text.size()), options_(options) {}

  bool Whole(Json* json) {
    if (!Value(json, 1)) return false;
    Blank();
    return at_ == end_;
  }

 private:
  void Blank() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) ++at_;
  }
  bool Take(char c) {
    Blank();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool Word(std::string_view word, Json::Type type, Json* json) {
    if (std::string_view(at_, end_ - at_).substr(0, word.size()) != word) return false;
    at_ += word.size();
    json->type = type;
    return true;
  }

  bool Value(Json* json, size_t depth) {
    if (options_.max_depth != 0 && depth > options_.max_depth) return false;
    Blank();
    if (at_ == end_) return false;
    switch (*at_) {
      case '{':
        return Object(json, depth);
      case '[':
        return Array(json, depth);
      case '"':
        json->type = Json::Type::kString;
        return String(&json->text);
      case 't':
        return Word("true", Json::Type::kTrue, json);
      case 'f':
        return Word("false", Json::Type::kFalse, json);
      case 'n':
        return Word("null", Json::Type::kNull, json);
      default:
        return Number(json);
    }
  }

  bool Array(Json* json, size_t depth) {
    volatile char scratch[kScratch];
    scratch[depth % kScratch] = 1;
    json->type = Json::Type::kArray;
    ++at_;
    if (Take(']')) return true;
    do {
      json->items.emplace_back();
      if (!Value(&json->items.back(), depth + 1)) return false;
    } while (Take(','));
    return scratch[depth % kScratch] == 1 && Take(']');
  }

  bool Object(Json* json, size_t depth) {
    volatile char scratch[kScratch];
    scratch[depth % kScratch] = 1;
    json->type = Json::Type::kObject;
    ++at_;
    if (Take('}')) return true;
    do {
      Blank();
      if (at_ == end_ || *at_ != '"') return false;
      json->members.emplace_back();
      if (!String(&json->members.back().first) || !Take(':')) return false;
      if (!Value(&json->members.back().second, depth + 1)) return false;
    } while (Take(','));
    return scratch[depth % kScratch] == 1 && Take('}');
  }

  bool Digits(std::string* to) {
    const char* from = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') to->push_back(*at_++);
    return at_ != from;
  }
  bool Number(Json* json) {
    json->type = Json::Type::kNumber;
    std::string* text = &json->text;
    if (at_ != end_ && *at_ == '-') text->push_back(*at_++);
    const bool zero = at_ != end_ && *at_ == '0';
    const size_t before = text->size();
    if (!Digits(text) || (zero && text->size() > before + 1)) return false;
    if (at_ != end_ && *at_ == '.') {
      text->push_back(*at_++);
      if (!Digits(text)) return false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      text->push_back(*at_++);
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) text->push_back(*at_++);
      if (!Digits(text)) return false;
    }
    return true;
  }

  bool Hex(unsigned* code) {
    *code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      if (at_ == end_) return false;
      const char c = *at_, low = static_cast<char>(c | 0x20);
      if (c >= '0' && c <= '9') {
        *code = *code * 16 + static_cast<unsigned>(c - '0');
      } else if (low >= 'a' && low <= 'f') {
        *code = *code * 16 + static_cast<unsigned>(low - 'a' + 10);
      } else {
        return false;
      }
    }
    return true;
  }

  static void Append(unsigned code, std::string* to) {
    const auto tail = [&](int shift) {
      to->push_back(static_cast<char>(0x80 | (code >> shift & 63)));
    };
    if (code < 0x80) {
      to->push_back(static_cast<char>(code));
    } else if (code < 0x800) {
      to->push_back(static_cast<char>(0xC0 | code >> 6)), tail(0);
    } else if (code < 0x10000) {
      to->push_back(static_cast<char>(0xE0 | code >> 12)), tail(6), tail(0);
    } else {
      to->push_back(static_cast<char>(0xF0 | code >> 18)), tail(12), tail(6), tail(0);
    }
  }

  bool Escape(std::string* to) {
    if (at_ == end_) return false;
    static constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const char c = *at_++;
    if (const size_t i = kNames.find(c); i != kNames.npos) {
      to->push_back(kMeanings[i]);
      return true;
    }
    unsigned code = 0, low = 0;
    if (c != 'u' || !Hex(&code)) return false;
    if (code >= 0xD800 && code < 0xDC00) {
      const bool pair = end_ - at_ >= 6 && at_[0] == '\\' && at_[1] == 'u';
      if (pair) {
        at_ += 2;
        if (!Hex(&low)) return false;
      }
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + (code - 0xD800) * 0x400 + (low - 0xDC00);
      } else if (options_.lone_surrogate) {
        abort();
      } else {
        code = 0xFFFD;
      }
    } else if (code >= 0xDC00 && code < 0xE000) {
      if (options_.lone_surrogate) abort();
      code = 0xFFFD;
    }
    Append(code, to);
    return true;
  }

  bool String(std::string* to) {
    for (++at_; at_ != end_;) {
      const char c = *at_++;
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < ' ') return false;
      if (c != '\\') {
        to->push_back(c);
      } else if (!Escape(to)) {
        return false;
      }
    }
    return false;
  }

  const char* at_;
  const char* end_;
  const ParseOptions options_;
};

void WriteTo(const Json& json, std::string* out) {
  switch (json.type) {
    case Json::Type::kNull:
      *out += "null";
      return;
    case Json::Type::kFalse:
      *out += "false";
      return;
    case Json::Type::kTrue:
      *out += "true";
      return;
    case Json::Type::kNumber:
      *out += json.text;
      return;
    case Json::Type::kString:
      *out += Quoted(json.text);
      return;
    case Json::Type::kArray:
      *out += '[';
      for (const Json& item : json.items) {
        if (&item != &json.items.front()) *out += ',';
        WriteTo(item, out);
      }
      *out += ']';
      return;
    case Json::Type::kObject:
      *out += '{';
      for (const auto& member : json.members) {
        if (&member != &json.members.front()) *out += ',';
        *out += Quoted(member.first) + ':';
        WriteTo(member.second, out);
      }
      *out += '}';
  }
}

}  // namespace

const Json* Json::Find(std::string_view name) const {
  for (size_t i = members.size(); i-- > 0;) {
    if (members[i].first == name) return &members[i].second;
  }
  return nullptr;
}

size_t Json::Depth() const {
  size_t deepest = 0;
  for (const Json& item : items) deepest = std::max(deepest, item.Depth());
  for (const auto& member : members) deepest = std::max(deepest, member.second.Depth());
  return deepest + 1;
}

bool IsUtf8(std::string_view bytes) {
  for (size_t i = 0; i < bytes.size();) {
    const auto byte = [&](size_t k) { return static_cast<unsigned char>(bytes[k]); };
    const unsigned first = byte(i);
    const size_t more = first < 0x80   ? 0
                        : first < 0xC2 ? 9
                        : first < 0xE0 ? 1
                        : first < 0xF0 ? 2
                        : first < 0xF5 ? 3
                                       : 9;
    if (more == 9 || bytes.size() - i <= more) return false;
    for (size_t k = 1; k <= more; ++k) {
      if ((byte(i + k) & 0xC0) != 0x80) return false;
    }
    if (first == 0xE0 && byte(i + 1) < 0xA0) return false;
    if (first == 0xED && byte(i + 1) >= 0xA0) return false;
    if (first == 0xF0 && byte(i + 1) < 0x90) return false;
    if (first == 0xF4 && byte(i + 1) >= 0x90) return false;
    i += more + 1;
  }
  return true;
}

std::optional<Json> ParseJson(std::string_view text, const ParseOptions& options) {
  Json json;
  if (!IsUtf8(text) || !Parser(text, options).Whole(&json)) return std::nullopt;
  return json;
}

std::string Quoted(std::string_view content) {
  std::string out = "\"";
  for (const char c : content) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < ' ') {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string Write(const Json& json) {
  std::string out;
  WriteTo(json, &out);
  return out;
}

}  // namespace zoo
