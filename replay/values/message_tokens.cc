#include "replay/values/message_tokens.h"

namespace midwire::replay {

using wire::JsonToken;

bool MessageTokens::Read(std::string_view body) {
  body_ = body;
  tokens_ = &own_;
  const char* const stop = own_.ReadValue(body);
  return stop && wire::Trimmed({stop, body.size() - own_.size()}).empty();
}

bool MessageTokens::Take(const wire::JsonTokens* tokens, std::string_view body) {
  // They begin with the body: an object of its size is all of it.
  if (tokens == nullptr || tokens->size() != body.size()) return false;
  body_ = body;
  tokens_ = tokens;
  return true;
}

std::string_view MessageTokens::Early(std::string_view name) const {
  const wire::JsonTokens::Token* at = tokens_->begin();
  const wire::JsonTokens::Token* const end = tokens_->end();
  if (at == end || (at++)->type != JsonToken::kOpen) return {};
  for (; end - at > 1 && at[0].type == JsonToken::kName && at[1].type == JsonToken::kScalar;
       at += 2) {
    if (at[0].In(body_) == name) return at[1].In(body_);
  }
  return {};
}

}  // namespace midwire::replay
