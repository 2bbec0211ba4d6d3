// The cause of a finding, as far as it is known: its key without what changes from place to place.
// Findings of one cause are saved as one (doc/fuzz.md). Called by fuzz/live, tools and fuzz/oracle.
// Pure.
#pragma once

#include <string>
#include <string_view>

namespace midwire::fuzz {

// "double open" and "double close" are both "double": answers are sent in one place of the plugin.
// A fault in its own words, such as an exception, is the same after any message and whether it
// ended the process or not. The key begins with the name of an oracle; any other text is its own
// cause.
std::string CauseOf(std::string_view key);

// Whether `key` is the key that a cassette has recorded. Older versions recorded less of it:
// "bad-message a frame that is no JSON", without the kind of mistake and the place.
bool IsSameKey(std::string_view recorded, std::string_view key);

// What a place ("request open", "junk text") names, without its kind: the method, or "junk".
std::string_view Culprit(std::string_view place);

}  // namespace midwire::fuzz
