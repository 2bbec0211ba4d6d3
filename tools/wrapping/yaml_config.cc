// YAML: yaml-cpp parses and reports where each node begins; where a text ends is found here.
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/emitterstyle.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "tools/wrapping/config_tree.h"

namespace midwire::tools {
namespace {

using Kind = ConfigNode::Kind;

// Where the properties of a node (&anchor, !tag) end.
size_t AfterProperties(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == '&' || text[at] == '!')) {
    at = std::min(text.find_first_of(" \t\r\n", at), text.size());
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  }
  return at;
}

// Where a text that begins at `at` ends, which is in the same line; `at`: it is in several.
size_t EndOfText(std::string_view text, size_t at, bool in_flow) {
  const size_t line = std::min(text.find_first_of("\r\n", at), text.size());
  const char quote = text[at];
  if (quote == '|' || quote == '>') return at;
  if (quote == '"' || quote == '\'') {
    for (size_t i = at + 1; i < line; ++i) {
      if (quote == '"' && text[i] == '\\') {
        ++i;
      } else if (text[i] == quote) {
        if (quote == '"' || i + 1 >= line || text[i + 1] != quote) return i + 1;
        ++i;
      }
    }
    return at;
  }
  size_t end = at;
  for (size_t i = at; i < line; ++i) {
    const char c = text[i];
    const bool blank_next = i + 1 >= line || text[i + 1] == ' ' || text[i + 1] == '\t';
    if (in_flow && std::string_view(",[]{}").find(c) != std::string_view::npos) break;
    if (c == ':' && (blank_next || (in_flow && (text[i + 1] == ',' || text[i + 1] == '}' ||
                                                text[i + 1] == ']')))) {
      break;
    }
    if (c == '#' && i > at && (text[i - 1] == ' ' || text[i - 1] == '\t')) break;
    if (c != ' ' && c != '\t') end = i + 1;
  }
  return end;
}

class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view text, size_t skipped) : text_(text), skipped_(skipped) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    Add(mark).text = "null";
    Added();
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    ConfigNode& node = Add(mark);
    node.kind = Kind::kAlias;
    const size_t end = text_.find_first_of(" \t\r\n,[]{}", node.from);
    node.to = std::min(end, text_.size());
    node.text = text_.substr(node.from, node.to - node.from);
    Added();
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    ConfigNode& node = Add(mark);
    const size_t from = AfterProperties(text_, node.from);
    node.text = value;
    const bool quoted = from < text_.size() && (text_[from] == '"' || text_[from] == '\'');
    node.inside = from + (quoted ? 1 : 0);
    // Numbers and booleans are texts to YAML's parser; hosts pass them on as such.
    node.kind = Kind::kText;
    node.to = from < text_.size() ? EndOfText(text_, from, flow_ > 0) : from;
    const bool same = quoted || text_.substr(from, node.to - from) == value;
    if (node.to == from || !same || !(tag == "?" || tag == "!" || tag.empty())) {
      node.to = node.from;
    }
    Added();
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    Open(mark, Kind::kList, '[');
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    Open(mark, Kind::kTable, '{');
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapEnd() override { Close(); }

  ConfigNode& root() { return root_; }

 private:
  // A new node at its place in the innermost open one.
  ConfigNode& Add(const YAML::Mark& mark) {
    ConfigNode* node = &root_;
    if (!open_.empty()) {
      ConfigNode* const parent = At(open_);
      if (parent->is(Kind::kList)) {
        parent->items.emplace_back();
        node = &parent->items.back();
      } else if (open_names_.back()) {
        node = &parent->members.back().value;
      } else {
        name_ = ConfigNode();
        node = &name_;
      }
    }
    node->from = node->to = static_cast<size_t>(mark.pos) + skipped_;
    return *node;
  }
  // After a whole node: a name becomes a member that waits for its value.
  void Added() {
    if (open_.empty()) return;
    ConfigNode* const parent = At(open_);
    if (!parent->is(Kind::kTable)) return;
    if (!open_names_.back()) {
      parent->members.push_back({.name = name_.text, .name_from = name_.from, .prefix = ""});
    }
    open_names_.back() = !open_names_.back();
  }
  void Open(const YAML::Mark& mark, Kind kind, char bracket) {
    ConfigNode& node = Add(mark);
    if (&node == &name_) throw YAML::Exception(mark, "a list or table as the name of a value");
    node.kind = kind;
    const size_t from = AfterProperties(text_, node.from);
    node.bracketed = from < text_.size() && text_[from] == bracket;
    node.inside = from + 1;
    if (node.bracketed) ++flow_;
    if (open_.size() >= kMaxConfigDepth) throw YAML::Exception(mark, "nested too deeply");
    Step step{.list = !open_.empty() && At(open_)->is(Kind::kList)};
    open_.push_back(step);
    open_names_.push_back(false);
  }
  void Close() {
    ConfigNode* const node = At(open_);
    if (node->bracketed) {
      --flow_;
      SetEnd(node);
    }
    open_.pop_back();
    open_names_.pop_back();
    Added();
  }

  // yaml-cpp does not report where a list or table ends. Stays at the beginning where a comment is
  // before the bracket.
  void SetEnd(ConfigNode* node) const {
    const bool list = node->is(Kind::kList);
    size_t at = node->inside;
    if (list && !node->items.empty()) at = node->items.back().to;
    if (!list && !node->members.empty()) at = node->members.back().value.to;
    at = text_.find_first_not_of(" \t\r\n,", at);
    if (at != std::string_view::npos && text_[at] == (list ? ']' : '}')) node->to = at + 1;
  }

  struct Step {
    bool list = false;  // the parent is a list
  };
  // The innermost open node: the last one on each level, as vectors move while they grow.
  ConfigNode* At(const std::vector<Step>& steps) {
    ConfigNode* node = &root_;
    for (size_t i = 1; i < steps.size(); ++i) {
      node = steps[i].list ? &node->items.back() : &node->members.back().value;
    }
    return node;
  }

  const std::string_view text_;
  const size_t skipped_;  // the byte order mark, which yaml-cpp does not count
  ConfigNode root_, name_;
  std::vector<Step> open_;
  std::vector<bool> open_names_;  // the name of a member was read, its value is due
  size_t flow_ = 0;
};

}  // namespace

Result<ConfigNode> ReadYamlConfig(std::string_view text) {
  const size_t skipped = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  TreeBuilder builder(text, skipped);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder))
      return Error{"there is nothing in it", "", "add a server in the host first"};
    ConfigNode root = std::move(builder.root());
    TreeBuilder rest(text, skipped);
    if (parser.HandleNextDocument(rest))
      return Error{"several documents in one file", "", "edit it by hand"};
    return root;
  } catch (const YAML::Exception& error) {
    const size_t at = error.mark.is_null() ? 0 : static_cast<size_t>(error.mark.pos) + skipped;
    return Error{error.msg, PlaceIn(text, std::min(at, text.size())), "correct it first"};
  }
}

}  // namespace midwire::tools
