#include "wire/json/parts.h"

#include "wire/json/valid.h"

namespace midwire::wire {

JsonType TypeOf(std::string_view value) {
  switch (value.empty() ? '\0' : value.front()) {
    case '{':
      return JsonType::kObject;
    case '[':
      return JsonType::kArray;
    case '"':
      return JsonType::kString;
    case 't':
    case 'f':
      return JsonType::kBool;
    case 'n':
      return JsonType::kNull;
    default:
      return JsonType::kNumber;
  }
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsJsonBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsJsonBlank(text.back())) text.remove_suffix(1);
  return text;
}

bool JsonParts::Next(JsonPart* part) {
  part->name = {};
  JsonToken token = cursor_.Next();
  if (token == JsonToken::kName) {
    part->name = cursor_.text();
    token = cursor_.Next();
  }
  if (token == JsonToken::kOpen) cursor_.SkipContainer();
  if (token == JsonToken::kOpen || token == JsonToken::kScalar) {
    part->value = cursor_.text();
    return true;
  }
  cursor_ = JsonCursor<>({});
  return false;
}

bool RawMembers(std::string_view object, std::vector<RawMember>* members) {
  object = Trimmed(object);
  if (!object.starts_with('{') || !IsJson(object)) return false;
  JsonParts parts(object);
  for (JsonPart part; parts.Next(&part);) {
    members->push_back({part.name.substr(1, part.name.size() - 2), part.value});
  }
  return true;
}

}  // namespace midwire::wire
