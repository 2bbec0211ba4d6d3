#include "check/documents/position_values.h"

#include <string>

#include "wire/json/decimal.h"
#include "wire/json/parts.h"
#include "wire/json/unescape.h"

namespace midwire::check {
namespace {

using wire::JsonPart;
using wire::JsonParts;
using wire::JsonType;

// Recursive: at most kMaxPointerSteps deep.
void VisitBelow(std::string_view value, const wire::Pointer& pointer, size_t depth,
                wire::Path* path, const std::function<void(std::string_view)>& visit) {
  if (depth == pointer.steps.size()) return visit(value);
  const JsonType type = wire::TypeOf(value);
  if (type != JsonType::kObject && type != JsonType::kArray) return;
  const std::string& step = pointer.steps[depth];
  // A list where the pointer expects an object: no element has this name.
  const bool number = !step.empty() && step[0] >= '0' && step[0] <= '9';
  if (type == JsonType::kArray && !number && step != wire::Pointer::kAny) return;
  JsonParts parts(value);
  size_t index = 0;
  for (JsonPart part; parts.Next(&part); ++index) {
    const bool same =
        step == wire::Pointer::kAny ||
        step == (part.name.empty() ? std::to_string(index) : wire::StringValue(part.name));
    if (!same) continue;
    path->push_back({part.name, index});
    VisitBelow(part.value, pointer, depth + 1, path, visit);
    path->pop_back();
  }
}

}  // namespace

std::string_view MemberOf(std::string_view object, std::string_view name) {
  std::string_view found;
  if (wire::TypeOf(object) != JsonType::kObject) return found;
  JsonParts parts(object);
  for (JsonPart part; parts.Next(&part);) {
    if (wire::SameString(part.name, name)) found = part.value;
  }
  return found;
}

std::optional<uint64_t> NumberOf(std::string_view value) {
  uint64_t number = 0;
  return wire::ParseNumber(value, &number) ? std::optional(number) : std::nullopt;
}

std::optional<Position> PositionOf(std::string_view value) {
  const std::optional<uint64_t> line = NumberOf(MemberOf(value, R"("line")"));
  const std::optional<uint64_t> character = NumberOf(MemberOf(value, R"("character")"));
  if (!line || !character) return std::nullopt;
  return Position{*line, *character};
}

void EachBelow(std::string_view value, const wire::Pointer& pointer, wire::Path* path,
               const std::function<void(std::string_view)>& visit) {
  VisitBelow(value, pointer, 0, path, visit);
}

}  // namespace midwire::check
