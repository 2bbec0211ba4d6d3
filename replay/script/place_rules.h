// What is declared about places in the messages of one class of calls, for the comparison. Made by
// RulesFor (declared.h). Plain data; points into the declarations.
#pragma once

#include <utility>
#include <vector>

#include "replay/shape/shape.h"
#include "wire/json/pointer.h"

namespace midwire::replay {

// Pointers into the whole message, and what is declared there.
struct PlaceRules {
  // Values at or below one do not count, nor does their absence.
  std::vector<const wire::Pointer*> ignores;
  // A scalar that fits counts as equal, if it has the expected one's JSON type.
  std::vector<std::pair<const wire::Pointer*, const Shape*>> shapes;
  std::vector<const wire::Pointer*> unordered;  // the items of an array may come in any order
};

}  // namespace midwire::replay
