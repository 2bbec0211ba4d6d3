// The dialects that are compiled in: the texts of corpora/*/dialect.json. Called by tools/ and
// fuzz/, and by the loader for "extends". Never reads a file.
#pragma once

#include <string_view>
#include <vector>

namespace midwire::wire {

// "" when there is none of that name. A DialectSource (dialect.h).
std::string_view BuiltInDialect(std::string_view name);
// The same without what detection does not read, such as schemas and rules: a tenth of the text.
std::string_view BuiltInOutline(std::string_view name);
// Sorted.
std::vector<std::string_view> BuiltInDialects();

}  // namespace midwire::wire
