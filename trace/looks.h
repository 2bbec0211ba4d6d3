// What a value looks like: made by a program to name something, or said by chance. Heuristics of
// replay's bindings and of infer, apart from them so that they can be read and tested as a table.
#pragma once

#include <string_view>

namespace midwire::trace {

// A string that hardly occurs twice by chance: letters and digits mixed, without blanks, no version
// number, no date, no path. UUIDs, "thr_8f3a", "cb-17".
bool LooksMade(std::string_view text);

// A member whose value names something: id, threadId, object_id, handle, token, cursor, ...; also
// their plurals, whose elements do.
bool NamesIdentity(std::string_view member);

}  // namespace midwire::trace
