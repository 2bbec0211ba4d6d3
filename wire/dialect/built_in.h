// The dialects that are compiled in: the texts of corpora/*/dialect.json.
#pragma once

#include <string_view>
#include <vector>

namespace midwire::wire {

// "" when there is none of that name. A DialectSource (dialect.h).
std::string_view BuiltInDialect(std::string_view name);
// Sorted.
std::vector<std::string_view> BuiltInDialects();

}  // namespace midwire::wire
