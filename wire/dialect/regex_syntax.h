// The syntax of regular expressions: ECMA-262, which JSON Schema uses, to that of RE2, which runs
// them. Called by Pattern. The two differ in what is an escape, in what `.`, `\s` and `$` match and
// in the classes `[]`, `[^]` and
// `[[a]`: a pattern that RE2 accepts as it stands may mean something else there.
#pragma once

#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::wire {

// `pattern` is UTF-8. An error says what is not supported (lookaround, backreferences, groups other
// than "(" and
// "(?:") or no escape or class of ECMA-262. What is left to RE2: parentheses, quantifiers, names of
// Unicode classes. A pattern means characters (code points), as with ECMA-262's flag "u", and
// matches in any part of a text.
Result<std::string> ToRe2Syntax(std::string_view pattern);

}  // namespace midwire::wire
