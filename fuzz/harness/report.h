// Reports a failed check of a target: the rule, a sentence, the evidence; then calls abort(), at
// which every fuzzing engine keeps the input. Used by TryDecoder and TryDispatcher.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace midwire::fuzz {

// A label and bytes; the bytes are escaped, and cut to kMaxShown.
using Shown = std::vector<std::pair<std::string, std::string>>;
inline constexpr size_t kMaxShown = 400;

[[noreturn]] void Broken(std::string_view rule, std::string_view text, const Shown& shown = {});

}  // namespace midwire::fuzz
