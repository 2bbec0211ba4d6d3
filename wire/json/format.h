// JSON written back: a value on one line, a value for people, a text as it stands but indented.
// What is built piece by piece is for JsonWriter (writer.h).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "wire/json/value.h"

namespace midwire::wire {

// Both recurse, as deep as ParseJson lets a text be.

// On one line, without blanks; numbers verbatim.
void AppendJson(const Json& json, std::string* out);
// Short containers on one line, those longer than 100 columns indented. Ends with a line feed.
std::string IndentedJson(const Json& json);

// Levels that PrettyJson indents. What lies deeper goes out on one line: a million brackets would
// take a terabyte of blanks, which is of no use to a reader.
inline constexpr size_t kMaxIndentLevels = 64;

// Two blanks a level, names and numbers verbatim. What is not JSON is handed out unchanged. In
// pieces, so that a small text of many values costs no memory: the indented one may be 70 times as
// long. A piece ends where a character does.
void PrettyJson(std::string_view text, const std::function<void(std::string_view)>& write);

}  // namespace midwire::wire
