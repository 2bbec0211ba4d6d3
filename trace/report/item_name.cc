#include "trace/report/item_name.h"

#include <optional>

#include "wire/json/parts.h"
#include "wire/json/pointer.h"
#include "wire/json/unescape.h"
#include "wire/outcome/result.h"

namespace midwire::trace {
namespace {

using wire::JsonPart;
using wire::JsonParts;
using wire::JsonType;

// The first that an item has.
constexpr std::string_view kItemNames[] = {R"("name")", R"("id")", R"("uri")"};

// A name is read at a glance; a longer one, such as a data URI, is none.
constexpr size_t kMaxItemName = 80;

std::optional<std::string_view> StepInto(std::string_view value, const std::string& step) {
  const JsonType type = wire::TypeOf(value);
  if (type != JsonType::kObject && type != JsonType::kArray) return std::nullopt;
  std::optional<std::string_view> found;
  JsonParts parts(value);
  size_t index = 0;
  for (JsonPart part; parts.Next(&part); ++index) {
    if (type == JsonType::kArray) {
      if (step == std::to_string(index)) return part.value;
    } else if (wire::StringValue(part.name) == step) {
      found = part.value;  // of a repeated name the last
    }
  }
  return found;
}

std::string_view NameOf(std::string_view item) {
  for (const std::string_view member : kItemNames) {
    std::string_view name;
    JsonParts parts(item);
    for (JsonPart part; parts.Next(&part);) {
      if (wire::SameString(part.name, member)) name = part.value;
    }
    if (name.empty() || name.size() > kMaxItemName) continue;
    const JsonType type = wire::TypeOf(name);
    if (type == JsonType::kString || type == JsonType::kNumber) return name;
  }
  return "";
}

}  // namespace

std::string ItemName(std::string_view body, std::string_view pointer) {
  const Result<wire::Pointer> place = wire::ParsePointer(pointer);
  if (!place || body.empty()) return "";
  std::string_view name;
  std::optional<std::string_view> value = body;
  for (const std::string& step : place->steps) {
    const bool in_array = wire::TypeOf(*value) == JsonType::kArray;
    value = StepInto(*value, step);
    if (!value) break;
    if (!in_array || wire::TypeOf(*value) != JsonType::kObject) continue;
    if (const std::string_view own = NameOf(*value); !own.empty()) name = own;
  }
  return std::string(name);
}

}  // namespace midwire::trace
