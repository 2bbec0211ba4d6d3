// Texts with varying pieces, as templates: "indexed {digits} files in {duration}". Called by
// shape.cc. A template is matched as a regular expression, so in linear time. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::replay {

// The regular expression (ECMA-262) that matches what the template does. "{{" is a brace. An error
// names a piece that does not exist.
Result<std::string> TemplateRegex(std::string_view text);

// The narrowest template that matches all texts; at worst "{any}". `texts` is not empty.
std::string TemplateOf(std::span<const std::string> texts);
// Whether all pieces of the template are times.
bool OnlyTimesVary(std::string_view text);

// Longer literal parts are left out of a template: the pattern would be too large.
inline constexpr size_t kMaxTemplate = 1000;

}  // namespace midwire::replay
