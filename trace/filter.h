// The filter expression of `midwire show --where`: which lines of a timeline to show. Compiled
// once, then applied to each line. Pure. Its recursion is limited by kMaxFilterDepth; its time is
// proportional to the line's text (for a glob: to pattern times method).
//
//   method=tools/* dir=h2p kind=error id=7 latency>50ms size>1k text~"needle" not (a or b) failed
//
// Adjacent terms are joined by "and". A term on a field that a line lacks is false, also with !=.
// A word such as failed is a term by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "wire/exchange.h"
#include "wire/message.h"
#include "wire/outcome/result.h"

namespace midwire::trace {

// The fields of one line of a timeline that a filter can test. Fields that the line lacks are
// empty.
struct Line {
  std::string_view kind;  // "request", ..., "junk", "event", "stderr"
  std::optional<wire::Direction> direction;
  std::optional<std::string_view> method;  // of an answer: that of its request
  std::optional<std::string_view> label;   // of a call and its answer, by the dialect
  const wire::Id* id = nullptr;            // nullptr or absent: none
  std::optional<uint64_t> number;
  std::optional<uint64_t> size;       // bytes on the wire
  std::optional<int64_t> latency_ns;  // of an answer, and of its request
  std::optional<int64_t> open_ns;     // of a request without an answer: for how long it has none
  std::optional<int64_t> at_ns;       // since the start of the session
  std::optional<int64_t> error_code;  // of an error
  std::optional<std::string_view> error;  // its text
  bool failed = false;                    // an error, or an answer that the dialect calls a failure
  bool unanswered = false;                // a request without an answer that was not cancelled
  std::string_view text;                  // the raw body, or the raw bytes of junk and stderr
};

// Deeper parentheses (and longer chains of "not") are refused: the parser recurses.
inline constexpr int kMaxFilterDepth = 64;
// More terms than anyone writes by hand; bounds the cost per line.
inline constexpr size_t kMaxFilterTerms = 1024;

class Filter {
 public:
  // Errors have the column and what was expected there. An empty expression matches everything.
  static Result<Filter> Compile(std::string_view expression);
  bool Matches(const Line& line) const;
  bool needs_text() const { return needs_text_; }  // false: Line::text is never looked at
  bool needs_time() const { return needs_time_; }  // it tests latency or at
  // It tests latency or unanswered, which a request's line has once its answer is known.
  bool needs_answer() const { return needs_answer_; }
  bool tests_unanswered() const { return tests_unanswered_; }
  // It has the term kind=stderr: these lines are to be shown, then.
  bool asks_stderr() const { return asks_stderr_; }

  struct Node;
  Filter(Filter&&) noexcept;
  Filter& operator=(Filter&&) noexcept;
  ~Filter();

 private:
  Filter();
  std::unique_ptr<Node> root_;
  bool needs_text_ = false, needs_time_ = false, needs_answer_ = false, tests_unanswered_ = false,
       asks_stderr_ = false;
};

// Whether a word is a term by itself: failed, unanswered, pending.
bool IsFilterWord(std::string_view word);

// * matches any run of characters, ? any one byte; all others match themselves.
bool GlobMatches(std::string_view glob, std::string_view text);

}  // namespace midwire::trace
