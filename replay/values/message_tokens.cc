#include "replay/values/message_tokens.h"

namespace midwire::replay {

using wire::JsonToken;

bool MessageTokens::Read(std::string_view body) {
  body_ = body;
  if (!tokens_) tokens_ = std::make_unique_for_overwrite<Token[]>(kMost);
  // In registers: half of the time of reading would be to keep a vector up to date.
  Token* to = tokens_.get();
  Token* const last = body.size() <= UINT32_MAX ? to + kMost : to;
  bool complete = true;
  wire::JsonCursor<wire::JsonSyntax::kLoose> cursor(body);
  JsonToken type = cursor.Next();
  for (; type < JsonToken::kEnd; type = cursor.Next()) {
    if (to == last) {
      complete = false;
      continue;
    }
    const std::string_view text = cursor.text();
    *to++ = {text.data(), static_cast<uint32_t>(text.size()), type};
  }
  end_ = to;
  complete_ = complete;
  return type == JsonToken::kEnd;
}

std::string_view MessageTokens::Early(std::string_view name) const {
  const Token* at = tokens_.get();
  if (at == end_ || (at++)->type != JsonToken::kOpen) return {};
  for (; end_ - at > 1 && at[0].type == JsonToken::kName && at[1].type == JsonToken::kScalar;
       at += 2) {
    if (at[0].text() == name) return at[1].text();
  }
  return {};
}

}  // namespace midwire::replay
