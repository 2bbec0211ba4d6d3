// Values by their place in a JSON text: the value at a pointer, and every scalar with the path to
// it. Spans of the text, as in parts.h. Called by check/, replay/, fuzz/ and trace/redact. Takes
// loose JSON (IsLooseJson).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json/parts.h"
#include "wire/json/pointer.h"

namespace midwire::wire {

// A step on the way from the root to a value.
struct PathStep {
  std::string_view name;  // as in JsonPart; empty: an index
  size_t index = 0;
};
using Path = std::vector<PathStep>;
// "/params/items/3/na~1me": RFC 6901, names unescaped. "" for the root.
std::string PointerText(const Path& path);
// Whether the pointer matches the whole path; a step `*` matches any step.
bool Matches(const Pointer& pointer, const Path& path);
// The same, where a step `**` of the pointer may stand for any number of steps, also none.
bool MatchesDeep(const Pointer& pointer, const Path& path);

// The value at a pointer, or nullopt. With `*` the first match; of a repeated name the last.
std::optional<std::string_view> ValueAt(std::string_view text, const Pointer& pointer);

// Calls visit(path, value) for each null, bool, number and string, in order; the path is valid
// during the call.
void WalkScalars(std::string_view text,
                 const std::function<void(const Path&, std::string_view)>& visit);
// Also calls step(path) for each member and element before its contents: for callers that compute
// something per step instead of reading the whole path each time.
void WalkScalars(std::string_view text, const std::function<void(const Path&)>& step,
                 const std::function<void(const Path&, std::string_view)>& visit);

}  // namespace midwire::wire
