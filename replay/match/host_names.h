// What a host says of itself: its name, its capabilities, the tokens that it chose. A mock serves
// another host than the recorded one. Called by the matcher. Pure.
#pragma once

#include <string_view>

#include "replay/match/compare.h"
#include "replay/script/declared.h"

namespace midwire::replay {

// Whether a difference in a request of the host is of that kind. It is at or below a place of
// Declarations::host_names, or it is an object of one message only, with no other members.
bool IsOfHost(const Declarations& declared, std::string_view method,
              const ValueDifference& difference);

}  // namespace midwire::replay
