// Positions as JSON has them, and what is below a value. Called by the rule type "positions". Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "check/documents/text_document.h"
#include "wire/json/path.h"

namespace midwire::check {

// The member of an object, by its name with quotes; "": none, or no object. Of a repeated name the
// last.
std::string_view MemberOf(std::string_view object, std::string_view name);

// An integer that is not negative, in digits only.
std::optional<uint64_t> NumberOf(std::string_view value);
// {"line":0,"character":0}
std::optional<Position> PositionOf(std::string_view value);

// The values at a pointer below `value`. `path` leads to it, and during a visit to what is visited.
void EachBelow(std::string_view value, const wire::Pointer& pointer, wire::Path* path,
               const std::function<void(std::string_view)>& visit);

}  // namespace midwire::check
