// The tokens of one message, for what is asked of each message while a trace is loaded: whether it
// is JSON, where its id is, and its values. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "wire/json/cursor.h"
#include "wire/json/path.h"
#include "wire/json_tokens.h"

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
  const wire::JsonTokens& tokens() const { return *tokens_; }

  // The value of the member with this name, with its quotes, if scalars alone come before it, and
  // it is one: "" otherwise. Also of a body that is no JSON behind it.
  std::string_view Early(std::string_view name) const;

  // As wire::WalkScalars, of a body that is loose JSON, with functions that are inlined: calls and
  // the path's memory would take most of the time. Leaves out scalar members of the body itself,
  // and only these, for which wants(name) is false. `path` is of the caller, and is reused.
  template <typename Wants, typename OnStep, typename OnValue>
  void Walk(wire::Path* path, const Wants& wants, const OnStep& on_step,
            const OnValue& on_value) const {
    if (tokens_->complete()) {
      WalkWith(Kept{tokens_->begin(), tokens_->end(), body_.data()}, path, wants, on_step,
               on_value);
    } else {
      WalkWith(ReadAgain{wire::JsonCursor<>(body_)}, path, wants, on_step, on_value);
    }
  }

 private:
  // The tokens that are kept.
  struct Kept {
    const wire::JsonTokens::Token* next;
    const wire::JsonTokens::Token* const end;
    const char* const body;
    wire::JsonToken type = wire::JsonToken::kEnd;
    std::string_view text = {};

    bool Next() {
      if (next == end) return false;
      type = next->type;
      text = {body + next->at, next->size};
      ++next;
      return true;
    }
  };
  // The same from the text, where not all are kept.
  struct ReadAgain {
    wire::JsonCursor<> cursor;
    wire::JsonToken type = wire::JsonToken::kEnd;
    std::string_view text = {};

    bool Next() {
      type = cursor.Next();
      text = cursor.text();
      return type < wire::JsonToken::kEnd;
    }
  };

  template <typename Tokens, typename Wants, typename OnStep, typename OnValue>
  [[gnu::always_inline]] static void WalkWith(Tokens tokens, wire::Path* path, const Wants& wants,
                                              const OnStep& on_step, const OnValue& on_value) {
    path->clear();
    while (tokens.Next()) {
      if (tokens.type == wire::JsonToken::kName) {
        path->back() = {tokens.text, 0};
        const bool left_out = path->size() == 1 && !wants(tokens.text);
        if (!left_out) on_step(*path);
        tokens.Next();  // there is a value
        if (left_out && tokens.type == wire::JsonToken::kScalar) continue;
        if (left_out) on_step(*path);
      } else if (tokens.type == wire::JsonToken::kClose) {
        path->pop_back();
        continue;
      } else if (!path->empty() && path->back().name.empty()) {
        ++path->back().index;
        on_step(*path);
      }
      if (tokens.type == wire::JsonToken::kScalar) {
        on_value(*path, tokens.text);
      } else {
        path->push_back({{}, SIZE_MAX});  // before its first element
      }
    }
  }

  std::string_view body_;
  wire::JsonTokens own_;
  const wire::JsonTokens* tokens_ = &own_;
};

}  // namespace midwire::replay
