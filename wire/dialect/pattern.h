// A regular expression of a JSON Schema ("pattern", a member of "patternProperties"). Compiled and
// used by Schema. RE2 runs it: no pattern recurses or takes more than linear time, for any text.
// Never includes RE2's headers, so that those of Schema do not need them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace re2 {
class RE2;
}

namespace midwire::wire {

class Pattern {
 public:
  // An error says what the pattern has that is not supported, or where it is wrong.
  static Result<std::shared_ptr<const Pattern>> Compile(std::string_view ecma_262);
  ~Pattern();

  // Whether any part of `text`, a string without its escapes, matches. A byte that is not UTF-8 and
  // half of a surrogate pair count as U+FFFD. Thread-safe.
  bool Matches(std::string_view text) const;

  const std::string& text() const { return text_; }  // as the schema has it
  // Instructions. A match takes less time than instructions times bytes.
  size_t size() const { return size_; }

 private:
  Pattern(std::string text, std::unique_ptr<re2::RE2> compiled, size_t size);

  std::string text_;
  std::unique_ptr<re2::RE2> compiled_;
  size_t size_;
};

// The patterns of a dialect, each compiled once: schemas of many methods refer to the same
// definitions.
class PatternCache {
 public:
  // As Pattern::Compile; also an error: more than kMaxPatterns different ones.
  Result<std::shared_ptr<const Pattern>> Get(std::string_view ecma_262);

 private:
  std::map<std::string, std::shared_ptr<const Pattern>, std::less<>> patterns_;
};

// Each takes at most 0.5 MB: 128 MB in all. The largest public protocols described in JSON Schema
// have about ten.
inline constexpr size_t kMaxPatterns = 256;

}  // namespace midwire::wire
