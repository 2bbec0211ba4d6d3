// The tokens of one message, for what is asked of each message while a trace is loaded: whether it
// is JSON, where its id is, and its values. Pure.
#pragma once

#include <cstddef>
#include <string_view>

#include "wire/json/cursor.h"
#include "wire/json/path.h"
#include "wire/json/tokens.h"

namespace midwire::replay {

class MessageTokens {
 public:
  MessageTokens() = default;
  MessageTokens(const MessageTokens&) = delete;
  MessageTokens& operator=(const MessageTokens&) = delete;

  // Whether the body is loose JSON (wire::IsLooseJson). Keeps a view of it.
  bool Read(std::string_view body);
  // The same of a body whose tokens are known; keeps a pointer to them. False: they are those of
  // another text.
  bool Take(const wire::JsonTokens* tokens, std::string_view body);
  std::string_view body() const { return body_; }

  // The value of the member with this name, with its quotes, if scalars alone come before it, and
  // it is one: "" otherwise. Also of a body that is no JSON behind it.
  std::string_view Early(std::string_view name) const;

  // As wire::WalkScalars, of a body that is loose JSON, with functions that are inlined: calls and
  // the path's memory would take most of the time. `path` is of the caller, and is reused.
  template <typename OnStep, typename OnValue>
  void Walk(wire::Path* path, const OnStep& on_step, const OnValue& on_value) const {
    if (tokens_->complete()) {
      WalkWith(Cursor(*tokens_, body_), path, on_step, on_value);
    } else {
      WalkWith(wire::JsonCursor<>(body_), path, on_step, on_value);
    }
  }

 private:
  // Returns them once more, as a cursor of the body would.
  class Cursor {
   public:
    Cursor(const wire::JsonTokens& tokens, std::string_view body)
        : next_(tokens.begin()), end_(tokens.end()), body_(body) {}
    wire::JsonToken Next() {
      if (next_ == end_) return wire::JsonToken::kEnd;
      const wire::JsonToken type = (next_++)->type;
      if (type == wire::JsonToken::kOpen) ++depth_;
      if (type == wire::JsonToken::kClose) --depth_;
      return type;
    }
    std::string_view text() const { return next_[-1].In(body_); }
    size_t depth() const { return depth_; }

   private:
    const wire::JsonTokens::Token* next_;
    const wire::JsonTokens::Token* const end_;
    const std::string_view body_;
    size_t depth_ = 0;
  };

  // `cursor`: of loose JSON.
  template <typename AnyCursor, typename OnStep, typename OnValue>
  static void WalkWith(AnyCursor cursor, wire::Path* path, const OnStep& on_step,
                       const OnValue& on_value) {
    const auto next_element = [&] {
      if (path->empty() || !path->back().name.empty()) return;
      ++path->back().index;
      on_step(*path);
    };
    path->clear();
    do {
      switch (cursor.Next()) {
        case wire::JsonToken::kOpen:
          next_element();
          path->push_back({{}, SIZE_MAX});  // before its first element
          break;
        case wire::JsonToken::kName:
          path->back() = {cursor.text(), 0};
          on_step(*path);
          break;
        case wire::JsonToken::kScalar:
          next_element();
          on_value(*path, cursor.text());
          break;
        case wire::JsonToken::kClose:
          path->pop_back();
          break;
        case wire::JsonToken::kEnd:
        case wire::JsonToken::kBroken:
          return;
      }
    } while (cursor.depth() > 0);
  }

  std::string_view body_;
  wire::JsonTokens own_;
  const wire::JsonTokens* tokens_ = &own_;
};

}  // namespace midwire::replay
