// What names the item of an array that a place is in, for a person: "/result/tools/17/inputSchema"
// is in the tool "archive_note". Called by the rules of check/ for what they report. Has no state.
#pragma once

#include <string>
#include <string_view>

namespace midwire::trace {

// The `name` (or else `id`, or else `uri`) of the innermost item that has one: a string or an
// integer, JSON as spelled, cut. "": the place is in no such item, or is nowhere. `body`: loose
// JSON; `pointer`: a JSON pointer.
std::string ItemName(std::string_view body, std::string_view pointer);

}  // namespace midwire::trace
