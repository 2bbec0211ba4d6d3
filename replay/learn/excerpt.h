// Parts of long values for a person: those around what varies in them. Called by the learner. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace midwire::replay {

// A longer value is cut at both ends, to what differs between all of them and some text around it.
inline constexpr size_t kMaxExcerpt = 60;

// One for each value, in order; "..." stands for what is cut. Never cuts within a character.
std::vector<std::string> Excerpts(std::span<const std::string> values);

}  // namespace midwire::replay
