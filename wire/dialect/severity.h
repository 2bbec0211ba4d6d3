// How much a clause of a protocol requires. Set by dialects, used by check/ and the reports of
// view/. Holds no rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace midwire::wire {

// kNote: tolerated, but reported; kOff: not checked.
enum class Severity : uint8_t { kOff, kNote, kShould, kMust };
std::string_view Name(Severity severity);  // "off", "note", "should", "must"
std::optional<Severity> ParseSeverity(std::string_view name);

}  // namespace midwire::wire
