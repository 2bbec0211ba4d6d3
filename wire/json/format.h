// Writes JSON: a value on one line or indented for people, and a text indented with its tokens
// unchanged. Called by the dialect loader, infer and view/. For output that is built piece by piece
// see JsonWriter (writer.h).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "wire/json/value.h"

namespace midwire::wire {

// Both recurse, at most kMaxDepth deep (value.h).

// On one line, without blanks; numbers verbatim.
void AppendJson(const Json& json, std::string* out);
// Short containers on one line, those longer than 100 columns indented. Ends with a line feed.
std::string IndentedJson(const Json& json);

// Levels that PrettyJson indents. Deeper levels are written on one line: a million brackets would
// take a terabyte of blanks, which is of no use to a reader.
inline constexpr size_t kMaxIndentLevels = 64;

// Two blanks per level, names and numbers verbatim. Text that is not JSON is written unchanged.
// Writes in pieces that end between characters: the indented text may be 70 times as long, and is
// never held whole.
void PrettyJson(std::string_view text, const std::function<void(std::string_view)>& write);

}  // namespace midwire::wire
