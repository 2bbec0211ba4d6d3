// What the value of an option is: the word after its name in help and manual pages, by which
// completion also knows what to offer. One table, so that the same option has the same word in each
// command. Called by arguments.cc.
#pragma once

#include <string_view>

namespace midwire::tools {

// `name`: "--drain". "": not in the table; then Option::TypeName names it.
std::string_view MetavarOf(std::string_view name);

}  // namespace midwire::tools
