// Finds the member whose text comes in pieces that are cut elsewhere in each run. Called by the
// learner. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace midwire::replay {

// The bodies of one method's notifications: as recorded, and of each run. A pointer at which the
// pieces, joined for messages that are equal otherwise, give the same texts in all of them; nullopt
// if there is none.
std::optional<std::string> ChunkPlaceOf(const std::vector<std::string>& recorded,
                                        std::span<const std::vector<std::string>* const> runs);

}  // namespace midwire::replay
