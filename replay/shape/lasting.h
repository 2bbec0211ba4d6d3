// Widens a shape that was found in the values of one minute, so that it also fits those of another
// day. Called by the learner. Pure: the values are moved, no clock is.
#pragma once

#include <span>
#include <string>

#include "replay/shape/shape.h"

namespace midwire::replay {

// `shape` if it fits all moved values, else the narrowest that fits the values and these. Of each
// call, the first value is moved.
Shape Lasting(Shape shape, std::span<const CallValues> calls);

}  // namespace midwire::replay
