// A text as a value, for tests of values. Text that is not JSON fails the test.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "wire/json/value.h"

namespace midwire::wire {

inline Json Parsed(std::string_view text) {
  Result<Json> parsed = ParseJson(text);
  if (parsed) return std::move(*parsed);
  ADD_FAILURE() << parsed.error().Text();
  return {};
}

}  // namespace midwire::wire
