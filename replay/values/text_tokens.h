// Tokens: the parts of a string that could be a generated value inside a longer text, such as the
// UUID in "task://8f3a.../log". They are found in the string as it is spelt in JSON, so that a
// token can be replaced in place; escapes separate tokens. Called by the inference of bindings, the
// comparison and the composer.
#pragma once

#include <functional>
#include <string_view>

namespace midwire::replay {

// Shorter tokens occur by chance.
inline constexpr size_t kMinToken = 6;

// The content of a JSON string, without its quotes.
std::string_view Unquoted(std::string_view string);

// Calls visit(token) for each token of at least kMinToken bytes that has a digit, in order; a view
// of `spelt` (the content of a JSON string). A token is a longest run of letters, digits and joints
// (- _ . + = ~ : @ # $), and, if visit returns false for it, each run of letters, digits, - and _
// in it. Not called for `spelt` as a whole.
void VisitTokens(std::string_view spelt, const std::function<bool(std::string_view)>& visit);

// Whether a whole token begins at `at` with the characters `token`.
bool IsTokenAt(std::string_view text, size_t at, std::string_view token);

// The longest run of token characters at the beginning of `text`: letters, digits, - and _, and
// those joints that `like` has.
std::string_view LeadingToken(std::string_view text, std::string_view like);

}  // namespace midwire::replay
