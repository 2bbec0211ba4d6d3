#include "fuzz/oracle/body.h"

#include "wire/json/parts.h"
#include "wire/json/valid.h"

namespace midwire::fuzz {
namespace {

// A Response of the Debug Adapter Protocol (its base protocol).
bool IsDapAnswer(std::string_view body) {
  return Member(body, "\"type\"") == "\"response\"" && !Member(body, "\"request_seq\"").empty();
}

}  // namespace

std::string_view Member(std::string_view body, std::string_view quoted) {
  std::string_view found;
  if (body.empty() || body[0] != '{') return found;
  wire::JsonParts parts(body);
  wire::JsonPart part;
  while (parts.Next(&part)) {
    if (part.name == quoted) found = part.value;
  }
  return found;
}

bool IsAnswer(const Part& part) {
  const std::string_view body = wire::Trimmed(part.body());
  if (part.junk() || !wire::IsLooseJson(body)) return false;
  if (IsDapAnswer(body)) return true;
  return Member(body, "\"method\"").empty() &&
         (!Member(body, "\"result\"").empty() || !Member(body, "\"error\"").empty());
}

std::string_view AnsweredId(std::string_view body) {
  return Member(body, IsDapAnswer(body) ? "\"request_seq\"" : "\"id\"");
}

std::string WithId(std::string_view body, std::string_view token) {
  const std::string_view id = AnsweredId(body);
  std::string made(body);
  if (!id.empty()) made.replace(id.data() - body.data(), id.size(), token);
  return made;
}

}  // namespace midwire::fuzz
