// Finds the template of texts that vary (text_template.h). Called by shape.cc. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace midwire::replay {

// The narrowest template that matches all texts; at worst "{any}". `texts` is not empty. Of a time
// that varies, the whole is a piece.
std::string TemplateOf(std::span<const std::string> texts);

// Templates of several calls as one: the same pieces in the same order, and {same} for a literal
// part that differs from call to call. nullopt: their pieces differ, or a time or a clock is in
// such a part, which only seems to stay.
std::optional<std::string> TemplateOfCalls(std::span<const std::string> templates);

// Longer literal parts are left out of a template.
inline constexpr size_t kMaxTemplate = 1000;

}  // namespace midwire::replay
