// One layer of a dialect: the JSON of one file, with or without its "strict" members, before it is
// merged with what it extends. Called by ReadFamily. Checks the types that merging relies on; never
// interprets the items of a list or the members of an object.
#pragma once

#include <string_view>

#include "wire/dialect/member_reader.h"
#include "wire/json/value.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

// The caller fills in `what` and `file` of *source.
Result<Json> ReadLayer(std::string_view text, bool strict, ReadSource* source);

}  // namespace midwire::wire
