// The target of a mutation as a message, with edits of its members by role. Made by the mutators of
// rpc for one edit, which invalidates its spans. Changes only the member that is named.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fuzz/mutate/message_spans.h"
#include "fuzz/mutate/mutator.h"

namespace midwire::fuzz {

class MessageEdit {
 public:
  // False: the target is not a message.
  explicit MessageEdit(Mutation* mutation);
  explicit operator bool() const { return spans_.has_value(); }
  const MessageSpans* operator->() const { return &*spans_; }

  std::string_view value(Role role) const { return spans_->value(body_, role); }
  std::string name(Role role) const { return std::string(NameOf(role, spans_->dap)); }
  // `"jsonrpc":"2.0",` as this message has it, or nothing.
  std::string Version() const;

  // These return false and change nothing, as the edits in edit.h do.

  // Replaces the object.
  bool Become(std::string_view text);
  // Sets the member's value, or adds the member.
  bool Set(Role role, std::string_view value);
  // Inserts a member before all others.
  bool Add(std::string_view name, std::string_view value);
  bool Drop(Role role);

 private:
  Mutation* const mutation_;
  const std::string_view body_;
  std::optional<MessageSpans> spans_;
};

}  // namespace midwire::fuzz
