// Widens a shape that was found in the values of one minute, so that it also fits those of another
// day. Called by the learner. Pure: the values are moved, no clock is.
#pragma once

#include <span>
#include <string>

#include "replay/shape/shape.h"

namespace midwire::replay {

// `shape` if it fits all moved values, else the narrowest that fits `values` and these. JSON;
// `recorded` are those of `values` that are moved.
Shape Lasting(Shape shape, std::span<const std::string> values,
              std::span<const std::string> recorded);

}  // namespace midwire::replay
