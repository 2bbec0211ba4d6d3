// Tokens that keep the format of a value, so that "format": "uuid" and the like still hold: UUIDs,
// dates and times, URIs, e-mail and IPv4 addresses, hex and digits. Called by TokenOf (tokens.h).
// What it keeps is public: the punctuation that the format has, and a URI's scheme.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace midwire::wire {

// Draws a number below `count`.
using Draw = std::function<size_t(size_t count)>;

// Nothing: the value has none of the formats.
std::optional<std::string> TokenOfFormat(std::string_view value, const Draw& below);

// Other letters of the same case, other digits; all else stays, as do the first `kept` bytes.
// Nothing if the value is not ASCII.
std::optional<std::string> TokenOfClasses(std::string_view value, size_t kept, const Draw& below);

}  // namespace midwire::wire
