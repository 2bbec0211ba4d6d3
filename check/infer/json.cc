#include "check/infer/json.h"

#include <utility>

namespace midwire::check {
using wire::Json;
using Type = Json::Type;

Json JsonText(std::string_view utf8) { return {.type = Type::kString, .text = std::string(utf8)}; }

Json JsonNumber(int64_t number) { return {.type = Type::kNumber, .text = std::to_string(number)}; }

Json JsonFlag(bool flag) { return {.type = Type::kBool, .boolean = flag}; }

Json JsonList(std::vector<Json> items) { return {.type = Type::kArray, .items = std::move(items)}; }

Json JsonObject() { return {.type = Type::kObject}; }

void Put(Json* object, std::string_view name, Json value) {
  object->members.push_back({std::string(name), std::move(value)});
}

}  // namespace midwire::check
