// Translates regular expressions from the syntax of ECMA-262, which JSON Schema uses, to that of
// RE2, which runs them. Called by Pattern. The two differ in escapes, in what `.`, `\s` and `$`
// match, and in the classes `[]`, `[^]` and `[[a]`: RE2 may accept an untranslated pattern and
// match something else. Pure; never compiles a pattern.
#pragma once

#include <string>
#include <string_view>

#include "wire/outcome/result.h"

namespace midwire::wire {

// `pattern` is UTF-8. An error names what is not supported (lookaround, backreferences, groups
// other than "(" and "(?:") or what is not an escape or class of ECMA-262. RE2 checks the rest:
// parentheses, quantifiers, names of Unicode classes. A pattern matches characters (code points),
// as with ECMA-262's flag "u", in any part of a text.
Result<std::string> ToRe2Syntax(std::string_view pattern);

}  // namespace midwire::wire
