// What the oracle looks for in the body of a message, without building it. Bodies are loose JSON
// (wire/json_parts.h), without blanks around them. Pure.
#pragma once

#include <string>
#include <string_view>

#include "fuzz/input.h"

namespace midwire::fuzz {

// The member's value in a message; "" without one. `quoted`: its name with quotes. The last counts.
std::string_view Member(std::string_view body, std::string_view quoted);
// JSON that answers something.
bool IsAnswer(const Part& part);
// Of an answer: the token of the id that it answers; "" without one.
std::string_view AnsweredId(std::string_view body);
// The answer under another id.
std::string WithId(std::string_view body, std::string_view token);

}  // namespace midwire::fuzz
