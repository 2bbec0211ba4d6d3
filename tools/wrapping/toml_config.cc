// TOML 1.0 (toml.io): tables and values with their bytes. Dates and numbers are not looked into:
// only texts, lists and tables matter here.
#include <algorithm>
#include <utility>

#include "tools/wrapping/config_tree.h"
#include "wire/json/ascii.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"

namespace midwire::tools {
namespace {

using Kind = ConfigNode::Kind;

// A table's members are searched one by one: 256 KiB of them take less than a second.
constexpr size_t kMaxToml = 256u << 10;

bool IsBareKey(char c) { return wire::IsAlphanumeric(c) || c == '-' || c == '_'; }

class TomlConfigReader {
 public:
  explicit TomlConfigReader(std::string_view text) : text_(text) {}

  Result<ConfigNode> Read() {
    if (text_.size() > kMaxToml)
      return Error{"too large for TOML that is edited", "", "edit it by hand"};
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    ConfigNode root;
    root.kind = Kind::kTable;
    std::vector<Key> table;
    while (SkipLines(), at_ < text_.size() && !wrong_) {
      if (Is('[')) {
        Header(&root, &table);
      } else {
        KeyValue(&root, table, 0);
      }
      if (!wrong_ && !EndOfLine()) Wrong("the end of the line is expected");
    }
    if (wrong_) return Error{wrong_, PlaceIn(text_, wrong_at_), "correct it first"};
    return root;
  }

 private:
  struct Key {
    std::string name;
    size_t from = 0;
  };

  bool Wrong(const char* what) {
    if (!wrong_) wrong_at_ = at_;
    if (!wrong_) wrong_ = what;
    return false;
  }
  bool Is(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool Starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void SkipBlanks() { at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size()); }
  void SkipLines() {  // blanks, comments and line ends
    for (;;) {
      at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
      if (!Is('#')) return;
      at_ = std::min(text_.find('\n', at_), text_.size());
    }
  }
  bool EndOfLine() {
    SkipBlanks();
    if (Is('#')) at_ = std::min(text_.find('\n', at_), text_.size());
    if (Is('\r')) ++at_;
    return at_ == text_.size() || Is('\n');
  }

  // `quotes`: what opens and closes it. Escapes only in those of ".
  bool String(std::string_view quotes, std::string* text) {
    const bool escapes = quotes[0] == '"', lines = quotes.size() == 3;
    at_ += quotes.size();
    while (!Starts(quotes)) {
      if (at_ >= text_.size() || (!lines && Is('\n'))) return Wrong("a string without an end");
      if (escapes && Is('\\')) {
        if (!Escape(text)) return false;
        continue;
      }
      *text += text_[at_++];
    }
    at_ += quotes.size();
    // One or two quotes before the closing ones belong to the text.
    for (; lines && Is(quotes[0]); ++at_) *text += quotes[0];
    return true;
  }

  bool Escape(std::string* text) {
    const std::string_view rest = text_.substr(at_);
    if (rest.size() > 1 && (rest[1] == 'U' || rest[1] == 'u')) {
      const size_t digits = rest[1] == 'U' ? 8 : 4;
      char32_t code = 0;
      if (rest.size() < 2 + digits) return Wrong("an escape without an end");
      for (const char c : rest.substr(2, digits)) {
        if (!wire::IsHexDigit(c)) return Wrong("not an escape");
        code = code << 4 | static_cast<char32_t>(wire::HexValue(c));
      }
      if (code > 0x10ffff || wire::IsSurrogate(code)) return Wrong("not a character");
      wire::AppendUtf8(code, text);
      at_ += 2 + digits;
      return true;
    }
    const wire::JsonEscape escape = wire::ReadJsonEscape(rest);
    if (escape.size == 2 && rest[1] != '/') {
      *text += static_cast<char>(escape.code);
      at_ += 2;
      return true;
    }
    // A backslash at the end of a line joins it with the next one.
    const size_t next = rest.find_first_not_of(" \t\r\n", 1);
    const size_t skipped = std::min(next, rest.size());
    if (rest.substr(0, skipped).find('\n') == std::string_view::npos) return Wrong("not an escape");
    at_ += skipped;
    return true;
  }

  bool DottedKey(std::vector<Key>* keys) {
    for (;;) {
      SkipBlanks();
      Key key{.name = "", .from = at_};
      if (Is('"') || Is('\'')) {
        if (!String(text_.substr(at_, 1), &key.name)) return false;
      } else {
        while (at_ < text_.size() && IsBareKey(text_[at_])) key.name += text_[at_++];
        if (key.name.empty()) return Wrong("a key is expected");
      }
      keys->push_back(std::move(key));
      if (keys->size() > kMaxConfigDepth) return Wrong("nested too deeply");
      SkipBlanks();
      if (!Is('.')) return true;
      ++at_;
    }
  }

  // The table that `keys` lead to from `table`; made where it is missing. Of a list of tables: its
  // last one.
  ConfigNode* Descend(ConfigNode* table, const Key* keys, size_t count) {
    for (; count > 0; ++keys, --count) {
      ConfigMember* member = const_cast<ConfigMember*>(table->Find(keys->name));
      if (member == nullptr) {
        table->members.push_back({.name = keys->name, .name_from = keys->from, .prefix = ""});
        member = &table->members.back();
        member->value.kind = Kind::kTable;
        member->value.from = keys->from;
      }
      ConfigNode* value = &member->value;
      if (value->is(Kind::kList) && !value->bracketed && !value->items.empty()) {
        value = &value->items.back();
      }
      if (!value->is(Kind::kTable)) return nullptr;
      table = value;
    }
    return table;
  }

  bool Header(ConfigNode* root, std::vector<Key>* table) {
    const size_t from = at_;
    const bool list = Starts("[[");
    at_ += list ? 2 : 1;
    table->clear();
    if (!DottedKey(table)) return false;
    if (!Starts(list ? "]]" : "]")) return Wrong("a ] is expected");
    at_ += list ? 2 : 1;
    if (!list) {
      ConfigNode* const made = Descend(root, table->data(), table->size());
      if (made == nullptr) return Wrong("this is no table");
      if (made->bracketed || made->inside != 0) return Wrong("a second table of this name");
      made->inside = at_;
      return true;
    }
    ConfigNode* const parent = Descend(root, table->data(), table->size() - 1);
    if (parent == nullptr) return Wrong("this is no table");
    ConfigMember* member = const_cast<ConfigMember*>(parent->Find(table->back().name));
    if (member == nullptr) {
      parent->members.push_back({.name = table->back().name, .name_from = from, .prefix = ""});
      member = &parent->members.back();
      member->value.kind = Kind::kList;
    }
    if (!member->value.is(Kind::kList) || member->value.bracketed) {
      return Wrong("this is no list of tables");
    }
    member->value.items.emplace_back().kind = Kind::kTable;
    member->value.items.back().from = from;
    return true;
  }

  bool KeyValue(ConfigNode* root, const std::vector<Key>& table, size_t depth) {
    ConfigMember member;
    member.name_from = at_;
    std::vector<Key> keys;
    if (!DottedKey(&keys)) return false;
    member.prefix = text_.substr(member.name_from, keys.back().from - member.name_from);
    member.name = keys.back().name;
    if (!Is('=')) return Wrong("an = is expected");
    ++at_;
    SkipBlanks();
    if (!Value(&member.value, depth)) return false;
    ConfigNode* to = Descend(root, table.data(), table.size());
    to = to == nullptr ? nullptr : Descend(to, keys.data(), keys.size() - 1);
    if (to == nullptr) return Wrong("this is no table");
    if (to->Has(member.name)) return Wrong("a second value of this name");
    to->members.push_back(std::move(member));
    return true;
  }

  bool Value(ConfigNode* node, size_t depth) {
    if (depth > kMaxConfigDepth) return Wrong("nested too deeply");
    node->from = at_;
    if (Is('[') || Is('{')) {
      if (!Container(node, depth)) return false;
    } else if (Is('"') || Is('\'')) {
      node->kind = Kind::kText;
      const std::string_view three = text_.substr(at_, 3);
      const bool lines = three == "\"\"\"" || three == "'''";
      const std::string_view quotes = text_.substr(at_, lines ? 3 : 1);
      node->inside = at_ + quotes.size();
      if (!String(quotes, &node->text)) return false;
      node->to = lines ? node->from : at_;
      return true;
    } else {
      while (at_ < text_.size() &&
             std::string_view(",]}#\r\n").find(text_[at_]) == std::string_view::npos) {
        node->text += text_[at_++];
      }
      while (!node->text.empty() && (node->text.back() == ' ' || node->text.back() == '\t')) {
        node->text.pop_back();
        --at_;
      }
      const bool plain = std::all_of(node->text.begin(), node->text.end(), [](char c) {
        return IsBareKey(c) || std::string_view("+-.:_ ").find(c) != std::string_view::npos;
      });
      if (node->text.empty() || !plain) return Wrong("a value is expected");
      // A word that is not one of TOML's is no value: this is another format.
      const char first = node->text[0];
      const bool word = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
      if (word && node->text != "true" && node->text != "false" && node->text != "inf" &&
          node->text != "nan") {
        return Wrong("a value is expected");
      }
    }
    node->to = at_;
    return true;
  }

  bool Container(ConfigNode* node, size_t depth) {
    node->kind = Is('{') ? Kind::kTable : Kind::kList;
    const bool table = node->is(Kind::kTable);
    const char closing = table ? '}' : ']';
    node->bracketed = true;
    node->inside = ++at_;
    for (SkipLines(); !Is(closing); SkipLines()) {
      if (at_ >= text_.size()) return Wrong("it ends in the middle of a value");
      const bool read =
          table ? KeyValue(node, {}, depth + 1) : Value(&node->items.emplace_back(), depth + 1);
      if (!read) return false;
      SkipLines();
      if (Is(closing)) break;
      if (!Is(',')) return Wrong(table ? "a comma or } is expected" : "a comma or ] is expected");
      ++at_;
    }
    ++at_;
    return true;
  }

  const std::string_view text_;
  size_t at_ = 0, wrong_at_ = 0;
  const char* wrong_ = nullptr;
};

}  // namespace

Result<ConfigNode> ReadTomlConfig(std::string_view text) { return TomlConfigReader(text).Read(); }

}  // namespace midwire::tools
