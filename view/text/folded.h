// Text that is too long for the terminal, folded at its blanks so that its columns stay. What a
// terminal wraps by itself starts at the left edge, and in the middle of a word. Called by reports
// for people. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace midwire::view {

// `text` is escaped already. The line holds `used` columns before it; further lines are indented by
// `indent`. A word without room on a line of its own is cut into several lines, as nothing is left
// out. width: of the terminal; 0, or one that is too narrow for that: one line.
void AppendFolded(std::string_view text, size_t used, size_t indent, size_t width,
                  std::string* out);

}  // namespace midwire::view
