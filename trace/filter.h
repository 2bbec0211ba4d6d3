// The filter expression of `midwire show --where`: which lines of a timeline to show. Compiled
// once, then asked for every line. Pure; never recurses deeper than kMaxFilterDepth, never takes
// more than time proportional to the line's text (a glob: to pattern times method).
//
//   method=tools/* dir=h2p kind=error id=7 latency>50ms size>1k text~"needle" not (a or b)
//
// Terms beside each other: and. A term on something that a line lacks is false, also with !=.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "wire/exchange.h"
#include "wire/message.h"
#include "wire/outcome/result.h"

namespace midwire::trace {

// One line of a timeline, as far as a filter may ask. What a line lacks stays empty.
struct Line {
  std::string_view kind;  // "request", ..., "junk", "event", "stderr"
  std::optional<wire::Direction> direction;
  std::optional<std::string_view> method;  // of an answer: that of its request
  const wire::Id* id = nullptr;            // nullptr or absent: none
  std::optional<uint64_t> number;
  std::optional<uint64_t> size;           // bytes on the wire
  std::optional<int64_t> latency_ns;      // of an answer
  std::optional<int64_t> at_ns;           // since the start of the session
  std::optional<int64_t> error_code;      // of an error
  std::optional<std::string_view> error;  // its text
  std::string_view text;                  // the raw body, or the raw bytes of junk and stderr
};

// Deeper parentheses (and longer chains of "not") are refused: the parser recurses.
inline constexpr int kMaxFilterDepth = 64;
// No question a person asks has more terms; a bound keeps a line's cost bounded.
inline constexpr size_t kMaxFilterTerms = 1024;

class Filter {
 public:
  // Errors name the column and what was expected there. Empty text matches everything.
  static Result<Filter> Compile(std::string_view expression);
  bool Matches(const Line& line) const;
  bool needs_text() const { return needs_text_; }  // false: Line::text is never looked at
  bool needs_time() const { return needs_time_; }  // it asks for latency or at

  struct Node;
  Filter(Filter&&) noexcept;
  Filter& operator=(Filter&&) noexcept;
  ~Filter();

 private:
  Filter();
  std::unique_ptr<Node> root_;
  bool needs_text_ = false, needs_time_ = false;
};

// * is any run of characters, ? any one byte; all others stand for themselves.
bool GlobMatches(std::string_view glob, std::string_view text);

}  // namespace midwire::trace
