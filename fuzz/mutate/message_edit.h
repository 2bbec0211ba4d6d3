// The target of a mutation as a message, and the edits of its members by what they are for. Made by
// the mutators of rpc for one edit: after it the spans are those of what was. Changes nothing but
// the member that it is told to.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fuzz/mutate/message_spans.h"
#include "fuzz/mutate/mutator.h"

namespace midwire::fuzz {

class MessageEdit {
 public:
  // False in a condition: the target is no message.
  explicit MessageEdit(Mutation* mutation);
  explicit operator bool() const { return spans_.has_value(); }
  const MessageSpans* operator->() const { return &*spans_; }

  std::string_view value(Role role) const { return spans_->value(body_, role); }
  std::string name(Role role) const { return std::string(NameOf(role, spans_->dap)); }
  // `"jsonrpc":"2.0",` as this message has it, or nothing.
  std::string Version() const;

  // These return false, and have changed nothing, as the edits in edit.h do.

  // The object becomes another.
  bool Become(std::string_view text);
  // The member's value, or a further member.
  bool Set(Role role, std::string_view value);
  // A member in front of all others.
  bool Add(std::string_view name, std::string_view value);
  bool Drop(Role role);

 private:
  Mutation* const mutation_;
  const std::string_view body_;
  std::optional<MessageSpans> spans_;
};

}  // namespace midwire::fuzz
