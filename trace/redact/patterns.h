// Finds secrets by what they look like: the built-in shapes (shapes.h) and the regular expressions
// of a user. Called by the redaction of whole traces and by the recorder. RE2 runs all of them: no
// expression takes more than linear time. Pure; never includes RE2's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/redact/nested_encoding.h"
#include "trace/redact/shapes.h"
#include "wire/outcome/result.h"

namespace re2 {
class RE2;
}

namespace midwire::trace::redact {

class Patterns {
 public:
  struct Match {
    size_t at = 0, size = 0;
    std::string_view rule;  // a shape's name or the expression
    bool expression = false;
    bool word = false;  // letters in a text, without quotes: also a word of it elsewhere
    size_t end() const { return at + size; }
  };
  // An expression of a user takes at most this, and a user hardly has more of them.
  static constexpr size_t kMaxExpressions = 64;

  Patterns();
  ~Patterns();
  Patterns(Patterns&&) noexcept;
  Patterns& operator=(Patterns&&) noexcept;

  void AddShapes();
  // RE2 syntax. The secret is group 1 if there is one, otherwise the whole match.
  Status AddExpression(const std::string& expression);

  bool empty() const { return rules_.empty(); }
  bool has_shapes() const { return shapes_ != nullptr; }
  enum class Rules : uint8_t { kAll, kExpressions };
  // In order of their beginning, without overlaps: an earlier rule counts. `text`: of any kind, not
  // escaped.
  std::vector<Match> Find(std::string_view text, Rules rules = Rules::kAll) const;

 private:
  struct Rule {
    std::string name;
    std::unique_ptr<re2::RE2> compiled;
    ShapeCheck check = ShapeCheck::kNone;
    bool expression = false;
  };

  class ShapeSet;

  void FindRule(const Rule& rule, std::string_view text, std::vector<Match>* found) const;

  std::vector<Rule> rules_;
  size_t expressions_ = 0;
  std::unique_ptr<ShapeSet> shapes_;
};

// Calls visit(match, apart, value, to) for what patterns find in a text, in which escape sequences
// of a terminal may be anywhere; apart: within the value. `to` is the value in a copy of the text,
// which visit may change; without a copy (null) it is null.
template <typename Visit>
void EachMatch(const Patterns& patterns, std::string_view text, Patterns::Rules rules, char* copy,
               const Visit& visit) {
  if (!Unstyled::IsNeeded(text)) {
    for (const Patterns::Match& match : patterns.Find(text, rules)) {
      visit(match, /*apart=*/false, text.substr(match.at, match.size),
            copy == nullptr ? nullptr : copy + match.at);
    }
    return;
  }
  const Unstyled unstyled(text);
  for (Patterns::Match match : patterns.Find(unstyled.text(), rules)) {
    const size_t at = match.at;
    match.at = unstyled.At(at);
    const bool apart = unstyled.IsApart(at, match.size);
    const std::string_view value = std::string_view(unstyled.text()).substr(at, match.size);
    std::string part = copy == nullptr ? std::string() : unstyled.Part(copy, at, match.size);
    visit(match, apart, value, copy == nullptr ? nullptr : part.data());
    unstyled.Spell(part, at, copy);
  }
}

}  // namespace midwire::trace::redact
