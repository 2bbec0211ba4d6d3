// A command that is a line of text, which the host splits at blanks or passes to a shell, as a line
// with midwire in front. Works on the text as the file has it, with its escapes, so that taking
// midwire out again gives the same bytes. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace midwire::tools {

// Whether the line is words alone, which a shell reads as they are.
bool IsPlainLine(std::string_view line);

// `quote`: around the text in the file; '\0': none. A plain line is appended to `front`; another
// one becomes one word of `front` sh -c. nullopt: what the file has cannot be quoted.
std::optional<std::string> LineBehind(std::string_view front, std::string_view raw, char quote,
                                      bool plain);
// The opposite: the line that a wrapped one was made of.
std::optional<std::string> LineOf(std::string_view wrapped, char quote, bool plain);

}  // namespace midwire::tools
