// Finds the methods that report work in the background, such as an index that is being built. How
// many of their messages come depends on the machine. The runs that are learned from may all show
// the same number by chance. Called before the learner's first round. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "replay/learn/lesson.h"
#include "wire/dialect/place_value.h"

namespace midwire::replay {

// `recorded`: the peer's notifications by method. `background`: of the dialect. One lesson
// (kVolatile) for each method that has such a message, or of which each message is one.
std::vector<Lesson> BackgroundLessons(
    const std::map<std::string, std::vector<std::string>>& recorded,
    const std::vector<wire::PlaceValue>& background);

}  // namespace midwire::replay
