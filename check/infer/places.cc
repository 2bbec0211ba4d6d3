#include "check/infer/places.h"

#include <utility>

#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"
#include "wire/json/value.h"

namespace midwire::check {
namespace {

// Limits the memory that a hostile peer can use; places of real protocols have about 50 bytes.
constexpr size_t kMaxMethod = 256, kMaxPointer = 1024;

}  // namespace

bool CanBePlace(std::string_view method) {
  return !method.empty() && method.size() <= kMaxMethod && !method.ends_with('*') &&
         method.find(":/") == method.npos && method.find('[') == method.npos &&
         wire::IsUtf8(method);
}

std::optional<wire::Pointer> PatternOf(const wire::Path& path) {
  if (path.size() > wire::kMaxPointerSteps) return std::nullopt;
  wire::Pointer pointer;
  pointer.steps.reserve(path.size());
  size_t size = 0;
  for (const wire::PathStep& step : path) {
    if (step.name.empty()) {
      pointer.steps.emplace_back(wire::Pointer::kAny);
      continue;
    }
    size += step.name.size();
    if (size > kMaxPointer) return std::nullopt;
    std::string name = wire::StringValue(step.name);
    if (name == "**" || !wire::IsUtf8(name)) return std::nullopt;
    pointer.steps.push_back(std::move(name));
  }
  return pointer;
}

std::string PlaceText(std::string_view method, const wire::Pointer& pointer) {
  return std::string(method) + ":" + wire::PointerText(pointer);
}

}  // namespace midwire::check
