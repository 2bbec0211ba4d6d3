// Finds the template of texts that vary (text_template.h). Called by shape.cc. Pure.
#pragma once

#include <span>
#include <string>

namespace midwire::replay {

// The narrowest template that matches all texts; at worst "{any}". `texts` is not empty. Of a time
// that varies, the whole is a piece.
std::string TemplateOf(std::span<const std::string> texts);

// Longer literal parts are left out of a template.
inline constexpr size_t kMaxTemplate = 1000;

}  // namespace midwire::replay
