// JSON as editors allow it in their settings: comments, a byte order mark, trailing commas.
// RFC 8259 otherwise, so that what is broken is refused and not edited.
#include <utility>

#include "tools/wrapping/config_tree.h"
#include "wire/json/cursor.h"
#include "wire/json/unescape.h"

namespace midwire::tools {
namespace {

using Kind = ConfigNode::Kind;
using wire::JsonSyntax;

class JsonConfigReader {
 public:
  explicit JsonConfigReader(std::string_view text) : text_(text) {}

  Result<ConfigNode> Read() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    ConfigNode root;
    SkipBlanks();
    if (!Value(&root, 0)) return Failure();
    SkipBlanks();
    if (at_ < text_.size()) Wrong("there is more after the end of the value");
    if (wrong_) return Failure();
    return root;
  }

 private:
  Error Failure() const { return {wrong_, PlaceIn(text_, wrong_at_), "correct it first"}; }
  bool Wrong(const char* what) {
    if (!wrong_) wrong_at_ = at_;
    if (!wrong_) wrong_ = what;
    return false;
  }
  bool Is(char c) const { return at_ < text_.size() && text_[at_] == c; }

  // Blanks and comments. A comment without an end is reported where something is expected.
  void SkipBlanks() {
    for (;;) {
      at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (rest.starts_with("/*")) {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) {
          Wrong("a comment without an end");
          return;
        }
        at_ = end + 2;
      } else {
        return;
      }
    }
  }

  bool String(std::string* text) {
    if (!Is('"')) return Wrong("a string is expected");
    const char* const from = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    const char* const stop = wire::SkipJsonString<JsonSyntax::kStrict>(from + 1, end);
    if (!stop) return Wrong("not a JSON string");
    const std::string_view quoted(from, static_cast<size_t>(stop - from));
    text->clear();
    if (!wire::AppendUnescaped(quoted, text)) return Wrong("not a JSON string");
    at_ += quoted.size();
    return true;
  }

  bool Value(ConfigNode* node, size_t depth) {
    if (wrong_) return false;
    if (depth > kMaxConfigDepth) return Wrong("nested too deeply");
    node->from = at_;
    if (at_ == text_.size()) return Wrong("it ends in the middle of a value");
    if (Is('{') || Is('[')) {
      node->kind = Is('{') ? Kind::kTable : Kind::kList;
      node->bracketed = true;
      node->inside = at_ + 1;
      if (!Container(node, depth)) return false;
    } else if (Is('"')) {
      node->kind = Kind::kText;
      node->inside = at_ + 1;
      if (!String(&node->text)) return false;
    } else {
      const char* const from = text_.data() + at_;
      const char* const stop =
          wire::SkipJsonScalar<JsonSyntax::kStrict>(from, text_.data() + text_.size());
      if (!stop) return Wrong("a value is expected");
      node->text.assign(from, stop);
      at_ += node->text.size();
    }
    node->to = at_;
    return true;
  }

  bool Container(ConfigNode* node, size_t depth) {
    const bool table = node->is(Kind::kTable);
    const char closing = table ? '}' : ']';
    ++at_;
    for (SkipBlanks(); !Is(closing); SkipBlanks()) {
      ConfigMember member;
      if (table) {
        member.name_from = at_;
        if (!String(&member.name)) return false;
        SkipBlanks();
        if (!Is(':')) return Wrong("a colon is expected");
        ++at_;
        SkipBlanks();
      }
      if (!Value(&member.value, depth + 1)) return false;
      if (table) {
        node->members.push_back(std::move(member));
      } else {
        node->items.push_back(std::move(member.value));
      }
      SkipBlanks();
      if (Is(closing)) break;
      if (!Is(',')) return Wrong(table ? "a comma or } is expected" : "a comma or ] is expected");
      ++at_;
    }
    ++at_;
    return !wrong_;
  }

  const std::string_view text_;
  size_t at_ = 0, wrong_at_ = 0;
  const char* wrong_ = nullptr;
};

}  // namespace

Result<ConfigNode> ReadJsonConfig(std::string_view text) { return JsonConfigReader(text).Read(); }

}  // namespace midwire::tools
