#include "trace/import/lua.h"

#include <algorithm>
#include <map>
#include <utility>

#include "wire/json/ascii.h"
#include "wire/json/quote.h"
#include "wire/json/utf8.h"
#include "wire/json/valid.h"

namespace midwire::trace::import {
namespace {

constexpr int kMaxLuaDepth = 128;          // real messages nest below 40
constexpr size_t kMaxLuaJson = 64u << 20;  // as wire::kKeepBytes

struct LuaEscape {
  char letter, byte;
};
constexpr LuaEscape kLuaEscapes[] = {{'n', '\n'},  {'t', '\t'},  {'r', '\r'}, {'a', '\a'},
                                     {'b', '\b'},  {'f', '\f'},  {'v', '\v'}, {'"', '"'},
                                     {'\'', '\''}, {'\\', '\\'}, {'\n', '\n'}};

// Words that stand for a value.
struct LuaWord {
  std::string_view text, json;
};
constexpr LuaWord kLuaWords[] = {
    {"true", "true"},    {"false", "false"},         {"nil", "null"},
    {"vim.NIL", "null"}, {"vim.empty_dict()", "{}"}, {"<userdata 1>", "null"}};

bool IsLuaName(char c) { return wire::IsAlphanumeric(c) || c == '_'; }

class LuaReader {
 public:
  // `copies`: null for a text that is only a string.
  LuaReader(std::string_view text, LuaCopies* copies) : rest_(text), copies_(copies) {}

  bool Value(std::string* json, int depth) {
    Blanks();
    if (rest_.empty() || depth > kMaxLuaDepth || json->size() > kMaxLuaJson) return false;
    for (const LuaWord& word : kLuaWords) {
      if (Take(word.text)) return json->append(word.json), true;
    }
    if (rest_[0] == '"' || rest_[0] == '\'') return StringTo(json);
    if (rest_[0] == '{') return Table(json, depth);
    if (rest_[0] == '<') return Numbered(json, depth);
    return Number(json);
  }

  bool String(std::string* bytes) {
    const char quote = rest_[0];
    for (size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == quote) return rest_.remove_prefix(i + 1), true;
      if (rest_[i] != '\\') {
        *bytes += rest_[i];
      } else if (++i == rest_.size() || !Escape(&i, bytes)) {
        return false;
      }
    }
    return false;
  }

  bool AtEnd() {
    Blanks();
    return rest_.empty();
  }

 private:
  bool Take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void Blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  // At the character behind the backslash; leaves *at on the last one of the escape.
  bool Escape(size_t* at, std::string* bytes) {
    for (const LuaEscape& escape : kLuaEscapes) {
      if (rest_[*at] == escape.letter) return *bytes += escape.byte, true;
    }
    int code = 0, digits = 0;
    while (digits < 3 && *at + digits < rest_.size() && rest_[*at + digits] >= '0' &&
           rest_[*at + digits] <= '9') {
      code = code * 10 + (rest_[*at + digits++] - '0');
    }
    if (digits == 0 || code > 255) return false;
    *at += static_cast<size_t>(digits) - 1;
    *bytes += static_cast<char>(code);
    return true;
  }

  bool StringTo(std::string* json) {
    std::string bytes;
    if (!String(&bytes) || !wire::IsUtf8(bytes)) return false;
    wire::AppendJsonString(bytes, json);
    return true;
  }

  bool Number(std::string* json) {
    const size_t end = std::min(rest_.find_first_of(" ,}]\t\r\n"), rest_.size());
    const std::string_view number = rest_.substr(0, end);
    if (!wire::IsJson(number)) return false;
    json->append(number);
    rest_.remove_prefix(end);
    return true;
  }

  // A table that is printed once and then named: <1>{ ... }, <table 1>.
  bool Numbered(std::string* json, int depth) {
    const bool named = Take("<table ");
    if (!named && !Take("<")) return false;
    const size_t close = rest_.find('>');
    if (close == rest_.npos || close == 0 || close > 9) return false;
    const std::string number(rest_.substr(0, close));
    rest_.remove_prefix(close + 1);
    if (!named) {
      const size_t begin = json->size();
      if (rest_.empty() || rest_[0] != '{' || !Table(json, depth)) return false;
      if (!copies_->Take(json->size() - begin)) return false;
      tables_[number] = json->substr(begin);
      return true;
    }
    const auto table = tables_.find(number);
    if (table == tables_.end() || json->size() + table->second.size() > kMaxLuaJson) return false;
    if (!copies_->Take(table->second.size())) return false;
    json->append(table->second);
    return true;
  }

  bool Table(std::string* json, int depth) {
    rest_.remove_prefix(1);
    const size_t open = json->size();
    *json += '[';
    size_t names = 0, positions = 0;
    for (Blanks(); !Take("}"); Blanks()) {
      if (Take("<metatable> =")) {  // what nothing sends
        std::string unused;
        if (!Value(&unused, depth + 1)) return false;
      } else {
        if (names + positions > 0) *json += ',';
        bool named = false;
        if (!Name(json, &named) || !Value(json, depth + 1)) return false;
        ++(named ? names : positions);
      }
      Blanks();
      if (!Take(",") && !rest_.starts_with("}")) return false;
    }
    if (names > 0 && positions > 0) return false;
    if (names > 0) (*json)[open] = '{';
    *json += names > 0 ? '}' : ']';
    return true;
  }

  // `name =`, `["name"] =`, `[1] =`; or none.
  bool Name(std::string* json, bool* named) {
    const std::string_view before = rest_;
    std::string name;
    if (Take("[")) {
      if (rest_.starts_with('"') || rest_.starts_with('\'')) {
        if (!String(&name)) return false;
      } else {
        const size_t end = std::min(rest_.find(']'), rest_.size());
        name = rest_.substr(0, end);
        rest_.remove_prefix(end);
      }
      if (!Take("]")) return false;
    } else {
      size_t end = 0;
      while (end < rest_.size() && IsLuaName(rest_[end])) ++end;
      name = rest_.substr(0, end);
      rest_.remove_prefix(end);
    }
    Blanks();
    *named = rest_.size() < before.size() && Take("=");
    if (!*named) {
      rest_ = before;
      return true;
    }
    if (!wire::IsUtf8(name)) return false;
    wire::AppendJsonString(name, json);
    *json += ':';
    return true;
  }

  std::string_view rest_;
  LuaCopies* const copies_;
  std::map<std::string, std::string> tables_;
};

}  // namespace

bool LuaCopies::Take(size_t bytes) {
  if (bytes > left_) {
    refused_ = true;
    return false;
  }
  left_ -= bytes;
  return true;
}

bool LuaCopies::TakeRefusal() { return std::exchange(refused_, false); }

std::optional<std::string> LuaToJson(std::string_view text, LuaCopies* copies) {
  LuaReader reader(text, copies);
  std::string json;
  if (!reader.Value(&json, 0) || !reader.AtEnd()) return std::nullopt;
  return json;
}

std::optional<std::string> LuaString(std::string_view text) {
  LuaReader reader(text, nullptr);
  std::string bytes;
  if (text.empty() || (text[0] != '"' && text[0] != '\'') || !reader.String(&bytes)) {
    return std::nullopt;
  }
  return bytes;
}

}  // namespace midwire::trace::import
