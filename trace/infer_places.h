// Places in messages as a dialect writes them, "METHOD:/pointer", made from what was seen: what the
// parts of infer share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wire/json_parts.h"
#include "wire/pointer.h"

namespace midwire::trace {

// Whether a place of it would mean this method and no other.
bool CanBePlace(std::string_view method);
// Indices as `*`. Nothing where a pointer cannot say it: names that are not UTF-8, too deep, too
// long.
std::optional<wire::Pointer> PatternOf(const wire::Path& path);
std::string PlaceText(std::string_view method, const wire::Pointer& pointer);

}  // namespace midwire::trace
