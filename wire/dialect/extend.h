// Reads the JSON of a dialect, with or without its "strict" members, and merges it over the
// dialects that it extends. Called by LoadDialect. Never interprets the items of a list or the
// members of an object.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/dialect.h"
#include "wire/dialect/member_reader.h"
#include "wire/json/value.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

// The caller fills in `what` and `file` of *source; this sets `inherited`. Appends to *names the
// dialects that this one extends, nearest first.
Result<Json> ReadExtended(std::string_view text, bool strict, DialectSource bases,
                          std::vector<std::string>* names, ReadSource* source);

}  // namespace midwire::wire
