#include "wire/dialect/place_value.h"

#include <algorithm>
#include <optional>

#include "wire/json/parts.h"
#include "wire/json/path.h"
#include "wire/json/unescape.h"

namespace midwire::wire {
namespace {

bool Equals(const Json& wanted, std::string_view value) {
  switch (TypeOf(value)) {
    case JsonType::kNull:
      return wanted.is(Json::Type::kNull);
    case JsonType::kBool:
      return wanted.is(Json::Type::kBool) && wanted.boolean == (value == "true");
    case JsonType::kNumber:
      return wanted.is(Json::Type::kNumber) && wanted.text == value;
    case JsonType::kString:
      return wanted.is(Json::Type::kString) && wanted.text == StringValue(value);
    case JsonType::kArray:
    case JsonType::kObject:
      return false;
  }
  return false;
}

}  // namespace

bool Matches(const PlaceValue& wanted, std::string_view method, std::string_view body) {
  if (body.empty() || !wanted.at.OfMethod(method)) return false;
  const std::optional<std::string_view> value = ValueAt(body, wanted.at.pointer);
  if (!value) return false;
  if (wanted.is.empty()) return *value != "false" && *value != "null";
  return std::any_of(wanted.is.begin(), wanted.is.end(),
                     [&](const Json& one) { return Equals(one, *value); });
}

}  // namespace midwire::wire
