#include "fuzz/body.h"

#include "wire/json_parts.h"

namespace midwire::fuzz {

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
  return !part.junk() && wire::IsLooseJson(body) && Member(body, "\"method\"").empty() &&
         (!Member(body, "\"result\"").empty() || !Member(body, "\"error\"").empty());
}

std::string WithId(std::string_view body, std::string_view token) {
  const std::string_view id = Member(body, "\"id\"");
  std::string made(body);
  if (!id.empty()) made.replace(id.data() - body.data(), id.size(), token);
  return made;
}

}  // namespace midwire::fuzz
