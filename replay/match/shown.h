// What a report shows of a message or a value, so that it is the same on every run: ids, ignored
// values and unknown unique ids by a placeholder, long texts cut. Called by the matcher. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/json/pointer.h"
#include "wire/message.h"

namespace midwire::replay {

// A longer value is cut in a report and ends in "...".
inline constexpr size_t kMaxShownValue = 240;
// The value, cut at that length, but not within a character.
std::string Shown(std::string_view value);

// An id without its value, but with its type: a request's id is chosen by the peer and often
// contains a pid.
std::string ShownId(std::string_view id);

// A message; the id of a request and the values at ignored places by a placeholder.
std::string ShownMessage(const wire::Message& message, std::string_view body,
                         const std::vector<const wire::Pointer*>& ignores);

// Digits are left out, so that a banner with another pid or time counts as the same.
bool SameButForDigits(std::string_view a, std::string_view b);

}  // namespace midwire::replay
