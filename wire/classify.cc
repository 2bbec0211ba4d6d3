#include "wire/classify.h"

#include <algorithm>
#include <cstring>

#include "wire/json/ascii.h"
#include "wire/json/decimal.h"
#include "wire/json/parts.h"

namespace midwire::wire {
namespace {

// By size first: each name of each message is looked up, and most are none of these.
Field TopLevelField(std::string_view name) {
  // Inlined as comparisons of words: a call of memcmp costs more than the rest.
  const auto if_is = [&]<size_t size>(const char(&one)[size], Field field) {
    return std::memcmp(name.data(), one, size - 1) == 0 ? field : Field::kNone;
  };
  switch (name.size()) {
    case 2:
      return if_is("id", Field::kId);
    case 3:
      return if_is("seq", Field::kSeq);
    case 4:
      return if_is("type", Field::kType);
    case 5:
      return name.front() == 'e' && name[1] == 'r' ? if_is("error", Field::kError)
                                                   : if_is("event", Field::kEvent);
    case 6:
      return name.front() == 'm' ? if_is("method", Field::kMethod)
                                 : if_is("result", Field::kResult);
    case 7:
      return name.front() == 'j'   ? if_is("jsonrpc", Field::kJsonrpc)
             : name.front() == 'c' ? if_is("command", Field::kCommand)
             : name.front() == 's' ? if_is("success", Field::kSuccess)
                                   : if_is("message", Field::kText);
    case 11:
      return if_is("request_seq", Field::kRequestSeq);
    default:
      return Field::kNone;
  }
}

Field ErrorField(std::string_view name) {
  if (name == "code") return Field::kErrorCode;
  return name == "message" ? Field::kErrorMessage : Field::kNone;
}

Id::Type TypeOf(std::string_view token) {
  if (token.empty()) return Id::Type::kOther;
  if (token.front() == '"') return Id::Type::kString;
  if (token.front() != '-' && !IsDigit(token.front())) {
    return token == "null" ? Id::Type::kNull : Id::Type::kOther;
  }
  for (const char c : token) {
    if (c == '.' || c == 'e' || c == 'E') return Id::Type::kFraction;
  }
  return Id::Type::kInteger;
}

// Byte by byte: a call of memcmp costs more.
bool IsVersion2(std::string_view token) {
  return token.size() == 3 && token[0] == '2' && token[1] == '.' && token[2] == '0';
}

void TakeId(Members* members, Field field, Id* id) {
  id->type = TypeOf(members->of(field));
  members->Take(field, &id->token);
}

// Also without its seq, if nothing of JSON-RPC is there and the rest is DAP: check reports it.
bool IsDap(const Members& members) {
  if (members.has(Field::kJsonrpc) || !members.text(Field::kType)) return false;
  const std::string_view type = members.of(Field::kType);
  if (members.has(Field::kSeq)) return type == "request" || type == "response" || type == "event";
  if (members.has(Field::kId) || members.has(Field::kMethod)) return false;
  if (type == "response") return members.has(Field::kRequestSeq) && members.has(Field::kSuccess);
  return (type == "event" && members.text(Field::kEvent)) ||
         (type == "request" && members.text(Field::kCommand));
}

// Debug Adapter Protocol, "Base protocol": ProtocolMessage, Request, Event, Response.
void ClassifyDap(Members* members, Message* message) {
  message->flags |= kDap | kNoVersion;
  const std::string_view type = members->of(Field::kType);
  if (type == "event") {
    message->kind = Kind::kNotification;
    members->Take(Field::kEvent, &message->method);
    return;
  }
  members->Take(Field::kCommand, &message->method);
  if (type == "request") {
    message->kind = Kind::kRequest;
    TakeId(members, Field::kSeq, &message->id);
    return;
  }
  message->kind = members->of(Field::kSuccess) == "false" ? Kind::kError : Kind::kResponse;
  TakeId(members, Field::kRequestSeq, &message->id);
  if (message->kind == Kind::kError) members->Take(Field::kText, &message->error_message);
}

void ClassifyAnswer(Members* members, Message* message) {
  const bool result = members->has(Field::kResult);
  // JSON-RPC 1.0 peers send both, one of them null.
  const bool error = members->has(Field::kError) && !members->error_is_null;
  if (result && error) message->flags |= kResultAndError;
  if (!result && !error) message->flags |= kNeither;
  message->kind = error ? Kind::kError : Kind::kResponse;
  if (!error) return;
  const std::string_view code = members->of(Field::kErrorCode);
  int64_t value = 0;
  if (ParseNumber(code, &value)) message->error_code = value;
  members->Take(Field::kErrorMessage, &message->error_message);
}

}  // namespace

Field FieldOf(std::string_view name, bool in_error) {
  return in_error ? ErrorField(name) : TopLevelField(name);
}

void Members::Clear() {
  for (unsigned left = kept; left != 0; left &= left - 1) token[__builtin_ctz(left)].clear();
  seen = not_string = kept = flags = 0;
  error_is_null = false;
}

void Members::Take(Field field, std::string* to) {
  if (kept & BitOf(field)) {
    std::swap(token[static_cast<int>(field)], *to);
  } else if (has(field)) {
    to->assign(whole[static_cast<int>(field)]);
  }
}

void Message::Clear() {
  kind = Kind::kInvalid;
  flags = 0;
  id.type = Id::Type::kAbsent;
  id.token.clear();
  method.clear();
  error_code.reset();
  error_message.clear();
  elements.clear();
}

std::string_view Name(Kind kind) {
  static constexpr std::string_view kNames[] = {"request",      "response", "error",
                                                "notification", "batch",    "invalid"};
  return kNames[static_cast<int>(kind)];
}

void Classify(Members* members, Message* message) {
  message->flags = members->flags;
  if (IsDap(*members)) return ClassifyDap(members, message);
  if (!members->has(Field::kJsonrpc))
    message->flags |= kNoVersion;
  else if (!members->text(Field::kJsonrpc) || !IsVersion2(members->of(Field::kJsonrpc)))
    message->flags |= kOtherVersion;

  if (members->has(Field::kId)) TakeId(members, Field::kId, &message->id);
  if (members->has(Field::kMethod)) {
    if (!members->text(Field::kMethod)) return;  // kInvalid: a method must be a string
    members->Take(Field::kMethod, &message->method);
    message->kind = message->id.present() ? Kind::kRequest : Kind::kNotification;
  } else if (message->id.present() || members->has(Field::kResult) || members->has(Field::kError)) {
    ClassifyAnswer(members, message);
  }
}

}  // namespace midwire::wire
