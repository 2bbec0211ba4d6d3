#include "fuzz/mutate/message_spans.h"

#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

// The first elements of a batch, from which one is taken.
constexpr size_t kElements = 8;

struct RoleName {
  std::string_view name;
  Role role;
};
constexpr RoleName kJsonRpc[] = {
    {"\"id\"", Role::kId},         {"\"method\"", Role::kMethod}, {"\"params\"", Role::kParams},
    {"\"result\"", Role::kResult}, {"\"error\"", Role::kError},   {"\"jsonrpc\"", Role::kVersion},
};
// request_seq comes after seq: if both exist, request_seq pairs the message.
constexpr RoleName kDap[] = {
    {"\"seq\"", Role::kId},        {"\"request_seq\"", Role::kId},   {"\"command\"", Role::kMethod},
    {"\"event\"", Role::kMethod},  {"\"arguments\"", Role::kParams}, {"\"body\"", Role::kResult},
    {"\"message\"", Role::kError}, {"\"type\"", Role::kType},
};

void Keep(const RoleName& known, const wire::JsonPart& part, std::string_view body,
          MessageSpans* spans) {
  MemberSpan& span = spans->members[static_cast<int>(known.role)];
  span.at = part.name.data() - body.data();
  span.value_at = part.value.data() - body.data();
  span.value_size = part.value.size();
}

void FindMembers(std::string_view body, MessageSpans* spans) {
  wire::JsonParts parts(body.substr(spans->at, spans->size));
  wire::JsonPart part;
  MessageSpans dap = *spans;
  bool seq = false, type = false;
  while (parts.Next(&part)) {
    spans->empty = false;
    for (const RoleName& known : kJsonRpc) {
      if (part.name == known.name) Keep(known, part, body, spans);
    }
    for (const RoleName& known : kDap) {
      if (part.name == known.name) Keep(known, part, body, &dap);
    }
    seq = seq || part.name == "\"seq\"";
    type = type || part.name == "\"type\"";
  }
  spans->answer = spans->has(Role::kResult) || spans->has(Role::kError);
  if (!seq || !type) return;
  dap.empty = false;
  dap.dap = true;
  const std::string_view kind = dap.value(body, Role::kType);
  dap.answer = kind == "\"response\"";
  if (kind == "\"event\"") {  // identified by its event, not by an id; its params are its body
    std::swap(dap.members[static_cast<int>(Role::kParams)],
              dap.members[static_cast<int>(Role::kResult)]);
    dap.members[static_cast<int>(Role::kId)] = {};
  }
  *spans = dap;
}

}  // namespace

std::optional<MessageSpans> FindMessage(std::string_view body, Random* random) {
  std::string_view object = wire::Trimmed(body);
  if (object.empty()) return std::nullopt;
  if (object.front() == '[') {
    wire::JsonParts parts(object);
    wire::JsonPart part;
    object = {};
    for (size_t seen = 0; seen < kElements && parts.Next(&part);) {
      if (part.value.empty() || part.value.front() != '{') continue;
      if (random->OneIn(++seen)) object = part.value;
    }
  }
  if (object.empty() || object.front() != '{') return std::nullopt;
  MessageSpans spans;
  spans.at = object.data() - body.data();
  spans.size = object.size();
  FindMembers(body, &spans);
  return spans;
}

std::optional<Node> PickInMessage(std::string_view body, unsigned types, unsigned places,
                                  Random* random) {
  constexpr size_t kOneAnywhereIn = 4;
  if (random->OneIn(kOneAnywhereIn)) return PickNode(body, types, places, random);
  const auto message = FindMessage(body, random);
  const Role role = message && message->has(Role::kParams) ? Role::kParams : Role::kResult;
  if (!message || !message->has(role) || (places & kInside) == 0) {
    return PickNode(body, types, places, random);
  }
  // Without params none: the only number of most messages is the id, which other mutators change.
  auto node = PickNode(message->value(body, role), types, places & kInside, random);
  if (!node) return std::nullopt;
  node->at += message->of(role).value_at;
  if (node->member()) node->name_at += message->of(role).value_at;
  return node;
}

std::string_view NameOf(Role role, bool dap) {
  if (dap) {
    for (const RoleName& known : kDap) {
      if (known.role == role) return known.name;
    }
  }
  for (const RoleName& known : kJsonRpc) {
    if (known.role == role) return known.name;
  }
  return "\"type\"";
}

std::string FreshId(std::string_view token, Random* random) {
  // Recorded sessions count from a small number, so ten million ids above a million are free.
  const std::string number = std::to_string(1'000'000 + random->Below(10'000'000));
  return !token.empty() && token.front() == '"' ? "\"" + number + "\"" : number;
}

void RenewId(Part* part, Random* random) {
  const auto spans = FindMessage(part->body(), random);
  if (!spans || !spans->request()) return;
  std::string body(part->body());
  const MemberSpan& id = spans->of(Role::kId);
  body.replace(id.value_at, id.value_size, FreshId(spans->value(part->body(), Role::kId), random));
  part->SetBody(body);
}

}  // namespace midwire::fuzz
