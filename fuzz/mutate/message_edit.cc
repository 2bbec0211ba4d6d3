#include "fuzz/mutate/message_edit.h"

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/tree_spans.h"

namespace midwire::fuzz {

MessageEdit::MessageEdit(Mutation* mutation)
    : mutation_(mutation), body_(mutation->target().body()) {
  if (!mutation->target().junk()) spans_ = FindMessage(body_, mutation->random);
}

std::string MessageEdit::Version() const {
  if (!spans_->has(Role::kVersion)) return "";
  return name(Role::kVersion) + ":" + std::string(value(Role::kVersion)) + ",";
}

bool MessageEdit::Become(std::string_view text) {
  return ReplaceInBody(mutation_, spans_->at, spans_->size, text);
}

bool MessageEdit::Set(Role role, std::string_view value) {
  const MemberSpan& member = spans_->of(role);
  if (!member.present()) return Add(name(role), value);
  return ReplaceInBody(mutation_, member.value_at, member.value_size, value);
}

bool MessageEdit::Add(std::string_view name, std::string_view value) {
  std::string text(name);
  text += ':';
  text += value;
  if (!spans_->empty) text += ',';
  return ReplaceInBody(mutation_, spans_->at + 1, 0, text);
}

bool MessageEdit::Drop(Role role) {
  const MemberSpan& member = spans_->of(role);
  if (!member.present()) return false;
  const Span span = WithComma(body_, {.at = member.value_at,
                                      .size = member.value_size,
                                      .name_at = member.at,
                                      .name_size = member.value_at - member.at});
  return ReplaceInBody(mutation_, span.at, span.size, "");
}

}  // namespace midwire::fuzz
