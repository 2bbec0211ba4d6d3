// What a report shows of a message or a value, so that it is the same on every run. Placeholders
// stand for ids, ignored values and unknown unique ids; long texts are cut. Called by the matcher.
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace/report/excerpt.h"
#include "wire/json/pointer.h"
#include "wire/message.h"

namespace midwire::replay {

using trace::kMaxShownValue;
using trace::Shown;

// A message; the id of a request and the values at ignored places by a placeholder.
std::string ShownMessage(const wire::Message& message, std::string_view body,
                         const std::vector<const wire::Pointer*>& ignores);

// Digits are left out, so that a banner with another pid or time counts as the same.
bool SameButForDigits(std::string_view a, std::string_view b);

}  // namespace midwire::replay
