#include "wire/message_shapes.h"

#include <algorithm>

namespace midwire::wire {
namespace {

std::vector<MessageShapes::Member> MembersOf(const JsonTokens& tokens, std::string_view text) {
  std::vector<MessageShapes::Member> members;
  size_t depth = 0;
  bool in_error = false;
  for (const JsonTokens::Token* at = tokens.begin(); at != tokens.end(); ++at) {
    if (at->type == JsonToken::kOpen) ++depth;
    if (at->type == JsonToken::kClose && --depth == 1) in_error = false;
    if (at->type != JsonToken::kName || depth != (in_error ? 2 : 1)) continue;
    const std::string_view name = at->In(text);
    const JsonTokens::Token& value = at[1];
    const Field field = FieldOf(name.substr(1, name.size() - 2), in_error);
    if (field == Field::kNone) continue;
    members.push_back({.field = field,
                       .in_error = in_error,
                       .container = value.type == JsonToken::kOpen,
                       .token = static_cast<uint32_t>(at + 1 - tokens.begin())});
    in_error = in_error || (field == Field::kError && value.In(text) == "{");
  }
  return members;
}

}  // namespace

void MessageShapes::MoveToFront(size_t place) {
  std::rotate(known_.begin(), known_.begin() + place, known_.begin() + place + 1);
}

const MessageShapes::Known* MessageShapes::Find(std::string_view text) {
  const size_t most = misses_ > kMostMisses ? 1 : kMost;
  for (size_t i = 0; i < most && known_[i]; ++i) {
    Known& known = *known_[i];
    if (!known.tokens.has_shape() || !known.tokens.ReadLike(text)) continue;
    if (i > 0) MoveToFront(i);
    misses_ = 0;
    return &known;
  }
  ++misses_;
  return nullptr;
}

JsonTokens* MessageShapes::Fresh() {
  if (!known_.back()) known_.back() = std::make_unique<Known>();
  MoveToFront(kMost - 1);
  return &known_.front()->tokens;
}

void MessageShapes::Keep(std::string_view text) {
  if (misses_ > kMostMisses && misses_ % kRest != 0) return;
  Known& known = *known_.front();
  known.tokens.MakeShape(text);
  if (known.tokens.has_shape()) known.members = MembersOf(known.tokens, text);
}

}  // namespace midwire::wire
