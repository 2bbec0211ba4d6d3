// Reads members of a message's body without building a value of it. Bodies are loose JSON
// (wire::IsLooseJson), without blanks around them. Called by fuzz/oracle only. Pure.
#pragma once

#include <string>
#include <string_view>

#include "fuzz/input.h"

namespace midwire::fuzz {

// The value of a message's member; "": there is none. `quoted`: its name with quotes. If the name
// occurs twice, the last one.
std::string_view Member(std::string_view body, std::string_view quoted);
// Whether the part is an answer, in JSON-RPC or DAP.
bool IsAnswer(const Part& part);
// The token of the id that an answer answers; "": there is none.
std::string_view AnsweredId(std::string_view body);
// The answer with another id.
std::string WithId(std::string_view body, std::string_view token);

}  // namespace midwire::fuzz
