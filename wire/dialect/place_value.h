// A place and the values there that count: what makes an answer a failure, or a notification a
// report of work in the background. Part of a dialect. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "wire/dialect/method_place.h"
#include "wire/json/value.h"

namespace midwire::wire {

struct PlaceValue {
  MethodPlace at;
  std::vector<Json> is;  // strings, numbers, booleans and null; empty: all but false and null
};

// Whether the message has one of the values there. `method`: of an answer, its request's. `body`:
// JSON, or "".
bool Matches(const PlaceValue& wanted, std::string_view method, std::string_view body);

}  // namespace midwire::wire
