// The grammar, by recursive descent:
//   any   = all { "or" all }
//   all   = one { [ "and" ] one }
//   one   = "not" one | "(" any ")" | FIELD OP VALUE | WORD
#include "trace/filter.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trace/filter_term.h"
#include "wire/near_names.h"

namespace midwire::trace {

struct Filter::Node {
  enum class Type : uint8_t { kAll, kAny, kNot, kTerm };
  Type type = Type::kAll;
  FilterTerm term;
  std::vector<Node> children;

  bool Matches(const Line& line) const {
    const auto matches = [&](const Node& child) { return child.Matches(line); };
    switch (type) {
      case Type::kAll:
        return std::all_of(children.begin(), children.end(), matches);
      case Type::kAny:
        return std::any_of(children.begin(), children.end(), matches);
      case Type::kNot:
        return !children[0].Matches(line);
      case Type::kTerm:
        return term.Matches(line);
    }
    return false;
  }
};

namespace {

using Node = Filter::Node;

constexpr std::string_view kBlanksOfFilter = " \t\r\n";
constexpr struct {
  std::string_view spelling;
  FilterOp op;
} kOps[] = {{"!=", FilterOp::kNotEqual}, {"<=", FilterOp::kAtMost}, {">=", FilterOp::kAtLeast},
            {"=", FilterOp::kEqual},     {"<", FilterOp::kLess},    {">", FilterOp::kMore},
            {"~", FilterOp::kContains}};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool ParseAll(Node* root) {
    SkipBlanks();
    if (at_ == text_.size()) return true;
    if (!ParseAny(root, 0)) return false;
    return at_ == text_.size() || Fail("a term, \"and\", \"or\" or the end");
  }

  Error error() const {
    const std::string_view rest = text_.substr(std::min(failed_at_, text_.size()));
    const std::string here = rest.empty() ? "at the end" : "at " + std::string(rest.substr(0, 20));
    return {"cannot read the filter", "column " + std::to_string(failed_at_ + 1) + ", " + here,
            meant_ + "expected " + expected_};
  }
  // Whether there is a term on one of these.
  bool Has(std::initializer_list<FilterField> fields) const {
    return std::any_of(fields.begin(), fields.end(), [this](FilterField field) {
      return (fields_ >> static_cast<int>(field) & 1) != 0;
    });
  }

  bool asks_stderr() const { return asks_stderr_; }

 private:
  void SkipBlanks() { at_ = std::min(text_.find_first_not_of(kBlanksOfFilter, at_), text_.size()); }

  bool Fail(std::string expected) { return FailAt(at_, std::move(expected)); }
  bool FailAt(size_t at, std::string expected) {
    failed_at_ = at;
    expected_ = std::move(expected);
    return false;
  }

  std::string_view PeekWord() const {
    const size_t end = std::min(text_.find_first_of(" \t\r\n()\"=<>!~", at_), text_.size());
    return text_.substr(at_, end - at_);
  }

  bool SkipWord(std::string_view word) {
    if (PeekWord() != word) return false;
    at_ += word.size();
    SkipBlanks();
    return true;
  }

  bool SkipChar(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    SkipBlanks();
    return true;
  }

  bool ParseAny(Node* node, int depth) {
    node->type = Node::Type::kAny;
    do {
      if (!ParseSequence(&node->children.emplace_back(), depth)) return false;
    } while (SkipWord("or"));
    return true;
  }

  bool ParseSequence(Node* node, int depth) {
    node->type = Node::Type::kAll;
    bool more = true;
    while (more) {
      if (!ParseOne(&node->children.emplace_back(), depth)) return false;
      more = SkipWord("and") || (at_ < text_.size() && text_[at_] != ')' && PeekWord() != "or");
    }
    return true;
  }

  bool ParseOne(Node* node, int depth) {
    if (depth == kMaxFilterDepth) {
      return Fail("at most " + std::to_string(kMaxFilterDepth) + " levels of ( and not");
    }
    if (SkipWord("not")) {
      node->type = Node::Type::kNot;
      return ParseOne(&node->children.emplace_back(), depth + 1);
    }
    if (SkipChar('(')) {
      if (!ParseAny(node, depth + 1)) return false;
      return SkipChar(')') || Fail("a term, \"and\", \"or\" or )");
    }
    return ParseTerm(node);
  }

  bool ParseTerm(Node* node) {
    if (++terms_ > kMaxFilterTerms) {
      return Fail("at most " + std::to_string(kMaxFilterTerms) + " terms");
    }
    const std::string_view field = PeekWord();
    if (const std::optional<FilterField> word = FilterWord(field)) {
      node->type = Node::Type::kTerm;
      node->term.field = *word;
      fields_ |= 1u << static_cast<int>(*word);
      at_ += field.size();
      SkipBlanks();
      if (at_ == text_.size() || text_.find_first_of("=<>!~", at_) != at_) return true;
      return Fail("no comparison after " + std::string(field) + ": it is a word alone");
    }
    if (!IsFilterField(field)) {
      const std::string near = wire::NearNames(field, FilterNames());
      if (near.starts_with("did you mean")) meant_ = near + " ";
      const bool follows_text = Has({FilterField::kText}) && terms_ > 1;
      return Fail("a field: " + std::string(FilterFieldNames()) +
                  "; or a word: " + std::string(FilterWordNames()) +
                  (follows_text ? "; quote a text with blanks: text~\"two words\"" : ""));
    }
    at_ += field.size();
    SkipBlanks();
    FilterOp op;
    const size_t op_at = at_;
    if (!ParseOp(&op)) return Fail("one of = != < <= > >= ~ after " + std::string(field));
    SkipBlanks();
    const size_t value_at = at_;
    std::string value;
    bool quoted = false;
    if (!ParseValue(&value, &quoted)) return false;
    std::string expected;
    node->type = Node::Type::kTerm;
    switch (MakeFilterTerm(field, op, value, quoted, &node->term, &expected)) {
      case FilterFit::kFits:
        break;
      case FilterFit::kWrongOp:
        return FailAt(op_at, std::move(expected));
      case FilterFit::kWrongValue:
        return FailAt(value_at, std::move(expected));
    }
    fields_ |= 1u << static_cast<int>(node->term.field);
    asks_stderr_ = asks_stderr_ || (node->term.field == FilterField::kKind &&
                                    node->term.value == "stderr" && op == FilterOp::kEqual);
    SkipBlanks();
    return true;
  }

  bool ParseOp(FilterOp* op) {
    for (const auto& row : kOps) {
      if (!text_.substr(at_).starts_with(row.spelling)) continue;
      *op = row.op;
      at_ += row.spelling.size();
      return true;
    }
    return false;
  }

  // "..." with \" and \\ (any other backslash is literal), or all up to a blank or bracket.
  bool ParseValue(std::string* value, bool* quoted) {
    const size_t start = at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      *quoted = true;
      for (++at_; at_ < text_.size(); ++at_) {
        if (text_[at_] == '"') return ++at_, true;
        const bool escape = text_[at_] == '\\' && at_ + 1 < text_.size() &&
                            (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\');
        if (escape) ++at_;
        *value += text_[at_];
      }
      return FailAt(start, "a closing quote");
    }
    // An arrow of the column of directions is no operator: dir=<-.
    const bool is_op = at_ < text_.size() && !text_.substr(at_).starts_with("<-") &&
                       std::string_view("=<>!~").find(text_[at_]) != text_.npos;
    if (!is_op) at_ = std::min(text_.find_first_of(" \t\r\n()", at_), text_.size());
    *value = text_.substr(start, at_ - start);
    return at_ > start || Fail("a value");
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t terms_ = 0;
  uint32_t fields_ = 0;  // of the terms so far, as bits
  bool asks_stderr_ = false;
  size_t failed_at_ = 0;
  std::string meant_;  // "did you mean ...? ", or empty
  std::string expected_;
};

}  // namespace

Filter::Filter() = default;
Filter::Filter(Filter&&) noexcept = default;
Filter& Filter::operator=(Filter&&) noexcept = default;
Filter::~Filter() = default;

Result<Filter> Filter::Compile(std::string_view expression) {
  Filter filter;
  filter.root_ = std::make_unique<Node>();
  Parser parser(expression);
  if (!parser.ParseAll(filter.root_.get())) return parser.error();
  filter.needs_text_ = parser.Has({FilterField::kText});
  filter.needs_time_ = parser.Has({FilterField::kLatency, FilterField::kAt});
  filter.asks_stderr_ = parser.asks_stderr();
  filter.tests_unanswered_ = parser.Has({FilterField::kUnanswered});
  filter.needs_answer_ = parser.Has({FilterField::kLatency, FilterField::kUnanswered});
  return filter;
}

bool Filter::Matches(const Line& line) const { return root_->Matches(line); }

}  // namespace midwire::trace
