// Reports a failed check of a target on stderr: the rule, a sentence, the evidence. Then it calls
// abort(), so that any fuzzing engine keeps the input. Used by TryDecoder and TryDispatcher.
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
