// Names that are like a misspelled one, for the remedy of an error. Called by the dialect loader,
// by commands that take a name, and where methods of a peer are compared with a dialect. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace midwire::wire {

// "did you mean \"tools/list\" or \"tools/call\"?": up to three names of `known`, the nearest
// first. If none is near: "one of a, b, c", at most ten of them. "" if there are none.
std::string NearNames(std::string_view name, std::span<const std::string> known);

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). Takes
// time in proportion to the product of both lengths.
size_t EditDistance(std::string_view a, std::string_view b);

// Whether two names are the same except for case and what stands between their words: "tools/list",
// "Tools/List" and "tools_list".
bool SpelledAlike(std::string_view a, std::string_view b);

}  // namespace midwire::wire
