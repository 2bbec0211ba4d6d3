// The members that make a message JSON-RPC (or DAP): its id, method, version, params, answer, and
// its kind; and batches of messages.
#include <algorithm>

#include "fuzz/mutate/edit.h"
#include "fuzz/mutate/message_edit.h"
#include "fuzz/mutate/mutate.h"
#include "wire/json/ascii.h"
#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

// Most messages joined to one batch, and elements of a hostile batch.
constexpr size_t kMostBatched = 64, kMostElements = 10'000;

bool SetId(Mutation* m, std::initializer_list<std::string_view> of) {
  MessageEdit message(m);
  return message && message->has(Role::kId) && message.Set(Role::kId, OneOf(m->random, of));
}

// For requests and answers, also those that have no such member.
bool SetMember(Mutation* m, Role role, std::string_view value) {
  MessageEdit message(m);
  return message && message.Set(role, value);
}

bool SetMethod(Mutation* m, std::string_view value) {
  MessageEdit message(m);
  return message && message->has(Role::kMethod) && message.Set(Role::kMethod, value);
}

bool SetParams(Mutation* m, std::string_view value) {
  MessageEdit message(m);
  return message && message->has(Role::kMethod) && !message->answer &&
         message.Set(Role::kParams, value);
}

bool DropRole(Mutation* m, Role role) {
  MessageEdit message(m);
  return message && message.Drop(role);
}

// 1 becomes "1", "1" becomes 1, "a" becomes some number.
bool IdOtherType(Mutation* m) {
  MessageEdit message(m);
  if (!message || !message->has(Role::kId)) return false;
  const std::string id(message.value(Role::kId));
  if (id.front() != '"') return message.Set(Role::kId, "\"" + id + "\"");
  const std::string inner = id.substr(1, std::max<size_t>(id.size(), 2) - 2);
  const bool number =
      !inner.empty() && inner.size() < 16 && inner.front() != '0' && wire::IsDigits(inner);
  return message.Set(Role::kId, number ? inner : "7");
}

// The member of another message; only a few messages are tried.
std::optional<std::string> FromAnother(Mutation* m, Role role) {
  constexpr int kLooks = 4;
  const std::vector<Part>& parts = m->input->parts;
  for (int look = 0; look < kLooks && parts.size() > 1; ++look) {
    const size_t other = m->random->Below(parts.size());
    if (other == m->part || parts[other].junk()) continue;
    const auto spans = FindMessage(parts[other].body(), m->random);
    if (spans && spans->has(role)) return std::string(spans->value(parts[other].body(), role));
  }
  return std::nullopt;
}

bool TakeFromAnother(Mutation* m, Role role) {
  MessageEdit message(m);
  if (!message || !message->has(role)) return false;
  const auto value = FromAnother(m, role);
  return value && message.Set(role, *value);
}

bool OtherMethod(Mutation* m) {
  MessageEdit message(m);
  if (!message || !message->has(Role::kMethod)) return false;
  if (m->random->OneIn(3)) {
    if (const auto value = FromAnother(m, Role::kMethod)) return message.Set(Role::kMethod, *value);
  }
  return message.Set(Role::kMethod,
                     Word(m->random, m->words->methods(),
                          {"\"initialize\"", "\"initialized\"", "\"shutdown\"", "\"exit\"",
                           "\"ping\"", "\"rpc.discover\"", "\"tools/call\"", "\"disconnect\""}));
}

// An unknown method that begins or ends like a known one.
bool UnknownMethod(Mutation* m) {
  MessageEdit message(m);
  if (!message || !message->has(Role::kMethod)) return false;
  std::string method(message.value(Role::kMethod));
  if (method.size() < 2 || method.back() != '"' || m->random->OneIn(4)) {
    return message.Set(Role::kMethod, "\"midwire/unknown\"");
  }
  constexpr std::string_view kMore[] = {"x", "/", "/x", ".", " ", "\\u0000", "\\n"};
  switch (m->random->Below(4)) {
    case 0:
      method.insert(1, "x");
      break;
    case 1:
      method.erase(method.size() - 2, method.size() > 2 ? 1 : 0);
      break;
    case 2:
      method.insert(1, "$/");
      break;
    default:
      method.insert(method.size() - 1, m->random->Pick(std::span(kMore)));
  }
  return message.Set(Role::kMethod, method);
}

bool LongMethod(Mutation* m) {
  const size_t room = m->room();
  const size_t size = SomeOf(m->random, std::min<size_t>(100'000, room > 64 ? room - 64 : 0));
  return SetMethod(m, "\"" + std::string(size, 'm') + "\"");
}

// {"a":1,"b":2} becomes [1,2], [1,2] becomes {"0":1,"1":2}: by position, by name.
bool ParamsOtherStructure(Mutation* m) {
  MessageEdit message(m);
  if (!message || message->answer || !message->has(Role::kParams)) return false;
  const std::string_view params = message.value(Role::kParams);
  const bool object = params.front() == '{';
  if (!object && params.front() != '[') return false;
  wire::JsonParts parts(params);
  wire::JsonPart part;
  std::string text = object ? "[" : "{";
  for (size_t index = 0; parts.Next(&part); ++index) {
    if (index > 0) text += ',';
    if (!object) text += "\"" + std::to_string(index) + "\":";
    text += part.value;
  }
  return message.Set(Role::kParams, text + (object ? "]" : "}"));
}

bool BothResultAndError(Mutation* m) {
  MessageEdit message(m);
  if (!message || !message->answer) return false;
  if (!message->has(Role::kError)) {
    return message.Add(message.name(Role::kError), "{\"code\":-32603,\"message\":\"both\"}");
  }
  return message.Set(Role::kResult, OneOf(m->random, {"null", "{}", "0"}));
}

bool NeitherResultNorError(Mutation* m) {
  MessageEdit message(m);
  if (!message || !message->answer) return false;
  return message.Drop(message->has(Role::kResult) ? Role::kResult : Role::kError);
}

// An answer becomes an error with a code of the vocabulary or an unknown one.
bool AnswerIsError(Mutation* m) {
  MessageEdit message(m);
  if (!message || !message->answer || message->dap) return false;
  std::string text = "{" + message.Version() + "\"id\":";
  text += message->has(Role::kId) ? message.value(Role::kId) : "null";
  text += ",\"error\":{\"code\":";
  text += Word(
      m->random, m->words->codes(),
      {"-32700", "-32600", "-32601", "-32602", "-32603", "-32000", "0", "1", "2147483648", "-1.5"});
  return message.Become(text + ",\"message\":\"an error\"}}");
}

bool OddError(Mutation* m) {
  MessageEdit message(m);
  if (!message || !message->answer || message->dap) return false;
  std::string text = "{" + message.Version() + "\"id\":";
  text += message->has(Role::kId) ? message.value(Role::kId) : "null";
  text += ",\"error\":";
  text += OneOf(m->random, {"null", "\"text\"", "-1", "true", "[]", "{}", "{\"code\":-32603}",
                            "{\"code\":\"-32603\",\"message\":\"text\"}", "{\"message\":\"text\"}",
                            "{\"code\":null,\"message\":null}", "{\"code\":1.5,\"message\":1}",
                            "{\"code\":1e99,\"message\":\"\",\"data\":[[]]}"});
  return message.Become(text + "}");
}

bool ToNotification(Mutation* m) {
  MessageEdit message(m);
  return message && message->request() && !message->dap && message.Drop(Role::kId);
}

bool ToRequest(Mutation* m) {
  MessageEdit message(m);
  if (!message || !message->notification() || message->dap) return false;
  return message.Add("\"id\"", FreshId("1", m->random));
}

// Replaces a request by an answer, to its own id or to that of another.
bool AnswerForRequest(Mutation* m) {
  MessageEdit message(m);
  if (!message || !message->request()) return false;
  const std::string id(message.value(Role::kId));
  std::string_view params = message->has(Role::kParams) ? message.value(Role::kParams) : "null";
  if (message->dap) {
    return message.Become(
        "{\"seq\":" + id + ",\"type\":\"response\",\"request_seq\":" + id +
        ",\"success\":true,\"command\":" + std::string(message.value(Role::kMethod)) +
        ",\"body\":" + std::string(params) + "}");
  }
  return message.Become("{" + message.Version() + "\"id\":" + id +
                        ",\"result\":" + std::string(params) + "}");
}

bool RequestForAnswer(Mutation* m) {
  MessageEdit message(m);
  if (!message || !message->answer || message->dap) return false;
  const std::string method(Word(m->random, m->words->methods(), {"\"ping\"", "\"exit\""}));
  std::string text = "{" + message.Version() + "\"id\":";
  text += message->has(Role::kId) ? message.value(Role::kId) : "1";
  text += ",\"method\":" + method + ",\"params\":";
  text += message->has(Role::kResult) ? message.value(Role::kResult) : "{}";
  return message.Become(text + "}");
}

// An answer to an id that was never used, with or without a version as the session's messages have
// it.
bool AnswerToNothing(Mutation* m) {
  MessageEdit message(m);
  if (!message) return false;
  const std::string id = m->random->OneIn(4) ? "null" : FreshId("1", m->random);
  std::string text;
  if (message->dap) {
    text = "{\"seq\":" + id + ",\"type\":\"response\",\"request_seq\":" + id +
           ",\"success\":true,\"command\":\"x\"}";
  } else {
    text = "{" + message.Version() + "\"id\":" + id;
    text += OneOf(m->random, {",\"result\":null}", ",\"result\":{}}",
                              ",\"error\":{\"code\":-32603,\"message\":\"x\"}}"});
  }
  return InsertPart(m, m->part + m->random->Below(2), Framed(text, m->input->framing()));
}

// Joins the target and the messages after it to one batch.
bool BatchNext(Mutation* m) {
  std::vector<Part>& parts = m->input->parts;
  const size_t most = std::min(kMostBatched, parts.size() - m->part);
  const size_t count = 1 + m->random->Below(most);
  std::string text = "[";
  size_t end = m->part;
  for (; end < m->part + count && !parts[end].junk(); ++end) {
    if (end > m->part) text += ',';
    text += wire::Trimmed(parts[end].body());
  }
  if (end == m->part || !ReplaceInBody(m, 0, m->target().body().size(), text += "]")) return false;
  parts.erase(parts.begin() + m->part + 1, parts.begin() + end);
  return true;
}

// Around the target, or in its place.
bool Batch(Mutation* m, std::string_view before, std::string_view after) {
  if (m->target().junk()) return false;
  std::string text(before);
  text += wire::Trimmed(m->target().body());
  return ReplaceInBody(m, 0, m->target().body().size(), text += after);
}

bool BatchRepeat(Mutation* m) {
  if (m->target().junk()) return false;
  const std::string body(wire::Trimmed(m->target().body()));
  const size_t fit = m->room() / (body.size() + 1);
  const size_t times = SomeOf(m->random, std::min(kMostElements, fit));
  if (times == 0) return false;
  return Batch(m, "[" + Repeated(body + ",", times - 1), "]");
}

bool BatchInstead(Mutation* m, std::initializer_list<std::string_view> of) {
  if (m->target().junk()) return false;
  return ReplaceInBody(m, 0, m->target().body().size(), OneOf(m->random, of));
}

constexpr MutatorSpec kRpcMutators[] = {
    {"rpc.id-null", Level::kRpc, [](Mutation* m) { return SetId(m, {"null"}); }},
    {"rpc.id-missing", Level::kRpc, [](Mutation* m) { return DropRole(m, Role::kId); }},
    {"rpc.id-fraction", Level::kRpc,
     [](Mutation* m) {
       return SetId(m, {"1.5", "1.0", "0.1", "1e2", "-0.0", "1e-3"});
     }},
    {"rpc.id-above-2^53", Level::kRpc,
     [](Mutation* m) {
       return SetId(m, {"9007199254740993", "9223372036854775807", "9223372036854775808",
                        "18446744073709551616", "-9007199254740993", "1e309",
                        "123456789012345678901234567890"});
     }},
    {"rpc.id-limit", Level::kRpc,
     [](Mutation* m) {
       return SetId(m, {"0", "-1", "-0", "2147483648", "-2147483649", "4294967296", "\"\""});
     }},
    {"rpc.id-other-type", Level::kRpc, IdOtherType},
    {"rpc.id-object", Level::kRpc,
     [](Mutation* m) {
       return SetId(m, {"{}", "[]", "{\"id\":1}", "[1]", "true", "false"});
     }},
    {"rpc.id-long", Level::kRpc,
     [](Mutation* m) {
       const size_t room = m->room();
       const size_t size = SomeOf(m->random, std::min<size_t>(100'000, room > 64 ? room - 64 : 0));
       const std::string id = "\"" + std::string(size, 'i') + "\"";
       return SetId(m, {id});
     }},
    {"rpc.id-odd-string", Level::kRpc,
     [](Mutation* m) {
       return SetId(m, {"\"\\u0000\"", "\"\\ud800\"", "\"null\"", "\"a\\nb\"", "\"\\u0031\"",
                        "\"__proto__\"", "\"\u20ac\""});
     }},
    {"rpc.reused-id", Level::kRpc, [](Mutation* m) { return TakeFromAnother(m, Role::kId); }},
    {"rpc.version-missing", Level::kRpc, [](Mutation* m) { return DropRole(m, Role::kVersion); }},
    {"rpc.version-other", Level::kRpc,
     [](Mutation* m) {
       MessageEdit message(m);
       return message && !message->dap &&
              message.Set(Role::kVersion,
                          OneOf(m->random, {"\"1.0\"", "\"3.0\"", "2.0", "2", "null", "\"\"",
                                            "\"2.00\"", "[]", "\"2.0 \""}));
     }},
    {"rpc.method-missing", Level::kRpc, [](Mutation* m) { return DropRole(m, Role::kMethod); }},
    {"rpc.method-unknown", Level::kRpc, UnknownMethod},
    {"rpc.method-other", Level::kRpc, OtherMethod},
    {"rpc.method-not-string", Level::kRpc,
     [](Mutation* m) {
       return SetMethod(m, OneOf(m->random, {"null", "1", "true", "{}", "[]", "[\"a\"]", "-1.5"}));
     }},
    {"rpc.method-empty", Level::kRpc, [](Mutation* m) { return SetMethod(m, "\"\""); }},
    {"rpc.method-long", Level::kRpc, LongMethod},
    {"rpc.params-missing", Level::kRpc, [](Mutation* m) { return DropRole(m, Role::kParams); }},
    {"rpc.params-null", Level::kRpc, [](Mutation* m) { return SetParams(m, "null"); }},
    {"rpc.params-scalar", Level::kRpc,
     [](Mutation* m) {
       return SetParams(m, OneOf(m->random, {"1", "\"a\"", "true", "false", "0", "\"\"", "-1.5"}));
     }},
    {"rpc.params-empty", Level::kRpc,
     [](Mutation* m) {
       return SetParams(m, OneOf(m->random, {"{}", "[]"}));
     }},
    {"rpc.params-in-array", Level::kRpc,
     [](Mutation* m) {
       MessageEdit message(m);
       return message && !message->answer && message->has(Role::kParams) &&
              message.Set(Role::kParams, "[" + std::string(message.value(Role::kParams)) + "]");
     }},
    {"rpc.params-other-structure", Level::kRpc, ParamsOtherStructure},
    {"rpc.params-of-another", Level::kRpc,
     [](Mutation* m) { return TakeFromAnother(m, Role::kParams); }},
    {"rpc.params-word", Level::kRpc,
     [](Mutation* m) {
       return SetParams(m, Word(m->random, m->words->trees(), {"{}", "[null]"}));
     }},
    {"rpc.result-and-error", Level::kRpc, BothResultAndError},
    {"rpc.neither-result-nor-error", Level::kRpc, NeitherResultNorError},
    {"rpc.result-other", Level::kRpc,
     [](Mutation* m) {
       MessageEdit message(m);
       return message && message->has(Role::kResult) &&
              message.Set(Role::kResult, Word(m->random, m->words->trees(),
                                              {"null", "{}", "[]", "0", "\"\"", "false"}));
     }},
    {"rpc.answer-is-error", Level::kRpc, AnswerIsError},
    {"rpc.odd-error", Level::kRpc, OddError},
    {"rpc.request-to-notification", Level::kRpc, ToNotification},
    {"rpc.notification-to-request", Level::kRpc, ToRequest},
    {"rpc.request-with-result", Level::kRpc,
     [](Mutation* m) {
       MessageEdit message(m);
       return message && message->has(Role::kMethod) && !message->answer &&
              SetMember(m, Role::kResult, "null");
     }},
    {"rpc.answer-for-request", Level::kRpc, AnswerForRequest},
    {"rpc.request-for-answer", Level::kRpc, RequestForAnswer},
    {"rpc.answer-to-nothing", Level::kRpc, AnswerToNothing},
    {"rpc.batch-next", Level::kRpc, BatchNext},
    {"rpc.batch-empty", Level::kRpc,
     [](Mutation* m) {
       return BatchInstead(m, {"[]", "[ ]"});
     }},
    {"rpc.batch-null", Level::kRpc,
     [](Mutation* m) {
       return m->random->OneIn(2) ? Batch(m, "[null,", "]") : Batch(m, "[", ",null]");
     }},
    {"rpc.batch-odd", Level::kRpc,
     [](Mutation* m) {
       return BatchInstead(m, {"[null]", "[1]", "[1,2,3]", "[[]]", "[{}]", "[\"a\"]", "[true,{}]"});
     }},
    {"rpc.batch-nested", Level::kRpc,
     [](Mutation* m) {
       return m->random->OneIn(2) ? Batch(m, "[[", "]]") : Batch(m, "[[],", "]");
     }},
    {"rpc.batch-repeat", Level::kRpc, BatchRepeat},
};

}  // namespace

std::span<const MutatorSpec> RpcMutators() { return kRpcMutators; }

}  // namespace midwire::fuzz
