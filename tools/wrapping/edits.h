// Changes of spans of a text, and the same as a unified diff. What is outside of the spans stays as
// it is, byte for byte. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::tools {

struct Edit {
  size_t from = 0, to = 0;  // of the old text
  std::string text;         // what replaces it
};

// The edits do not overlap; in any order.
std::string ApplyEdits(std::string_view old, std::vector<Edit> edits);

// As `diff -u` prints it, with three lines of context; what could act on a terminal is escaped.
// "": no change.
std::string UnifiedDiff(std::string_view old, std::vector<Edit> edits, const std::string& path);

}  // namespace midwire::tools
