#include "check/infer/json.h"

#include <utility>

namespace midwire::check {
namespace {

using wire::Json;
using Type = Json::Type;

constexpr size_t kColumns = 100;

// On one line. False: longer than `most`, and *out is of no use.
bool AppendShort(const Json& json, size_t most, std::string* out) {
  switch (json.type) {
    case Type::kNull:
      *out += "null";
      break;
    case Type::kBool:
      *out += json.boolean ? "true" : "false";
      break;
    case Type::kNumber:
      *out += json.text;
      break;
    case Type::kString:
      wire::AppendJsonString(json.text, out);
      break;
    case Type::kArray:
      *out += '[';
      for (size_t i = 0; i < json.items.size(); ++i) {
        if (i > 0) *out += ", ";
        if (!AppendShort(json.items[i], most, out)) return false;
      }
      *out += ']';
      break;
    case Type::kObject:
      *out += '{';
      for (size_t i = 0; i < json.members.size(); ++i) {
        if (i > 0) *out += ", ";
        wire::AppendJsonString(json.members[i].first, out);
        *out += ": ";
        if (!AppendShort(json.members[i].second, most, out)) return false;
      }
      *out += '}';
      break;
  }
  return out->size() <= most;
}

// column: where the value begins; the line may need a comma after it.
void AppendPretty(const Json& json, size_t indent, size_t column, std::string* out) {
  const bool container = !json.items.empty() || !json.members.empty();
  const size_t room = column + 1 < kColumns ? kColumns - column - 1 : 0;
  std::string line;
  if (AppendShort(json, container ? room : SIZE_MAX, &line)) {
    *out += line;
    return;
  }
  const bool object = json.is(Type::kObject);
  const size_t count = object ? json.members.size() : json.items.size();
  const std::string blanks(indent + 2, ' ');
  *out += object ? "{\n" : "[\n";
  for (size_t i = 0; i < count; ++i) {
    const size_t start = out->size();
    *out += blanks;
    if (object) {
      wire::AppendJsonString(json.members[i].first, out);
      *out += ": ";
    }
    const Json& value = object ? json.members[i].second : json.items[i];
    AppendPretty(value, indent + 2, out->size() - start, out);
    *out += i + 1 < count ? ",\n" : "\n";
  }
  out->append(indent, ' ');
  *out += object ? '}' : ']';
}

}  // namespace

Json JsonText(std::string_view utf8) { return {.type = Type::kString, .text = std::string(utf8)}; }

Json JsonNumber(int64_t number) { return {.type = Type::kNumber, .text = std::to_string(number)}; }

Json JsonFlag(bool flag) { return {.type = Type::kBool, .boolean = flag}; }

Json JsonList(std::vector<Json> items) { return {.type = Type::kArray, .items = std::move(items)}; }

Json JsonObject() { return {.type = Type::kObject}; }

void Put(Json* object, std::string_view name, Json value) {
  object->members.push_back({std::string(name), std::move(value)});
}

std::string PrettyText(const Json& json) {
  std::string text;
  AppendPretty(json, 0, 0, &text);
  return text + "\n";
}

}  // namespace midwire::check
