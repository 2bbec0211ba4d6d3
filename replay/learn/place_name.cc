#include "replay/learn/place_name.h"

#include <algorithm>

#include "wire/json/ascii.h"
#include "wire/json/path.h"
#include "wire/json/pointer.h"
#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

bool IsIndex(std::string_view step) { return !step.empty() && wire::IsDigits(step); }

}  // namespace

std::string PlaceName(std::string_view method, std::string_view pointer) {
  return std::string(method) + (method.empty() ? "" : ":") + std::string(pointer);
}

std::string Generalised(std::string_view pointer) {
  std::string general;
  for (size_t at = 0; at < pointer.size();) {
    const size_t end = std::min(pointer.find('/', at + 1), pointer.size());
    const std::string_view step = pointer.substr(at + 1, end - at - 1);
    general += '/';
    general += IsIndex(step) ? std::string_view("*") : step;
    at = end;
  }
  return general;
}

std::string ParentOf(std::string_view pointer) {
  return std::string(pointer.substr(0, pointer.rfind('/')));
}

bool IsBelow(std::string_view pointer, std::string_view above) {
  return pointer.size() > above.size() && pointer.starts_with(above) &&
         pointer[above.size()] == '/';
}

std::string ValueOf(std::string_view body, const std::string& pointer) {
  if (!wire::IsLooseJson(body)) return "";
  if (pointer.empty()) return std::string(body);
  const auto parsed = wire::ParsePointer(pointer);
  const auto value = parsed ? wire::ValueAt(body, *parsed) : std::nullopt;
  return value ? std::string(*value) : "";
}

}  // namespace midwire::replay
