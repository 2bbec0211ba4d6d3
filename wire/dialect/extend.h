// The JSON of a dialect as it is read: with or without its "strict" members, merged over the
// dialects that it extends. Called by LoadDialect. Knows which members are lists and objects, not
// what is in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/dialect/dialect.h"
#include "wire/dialect/member_reader.h"
#include "wire/json/value.h"
#include "wire/outcome/result.h"

namespace midwire::wire {

// `source` has what and file; its `inherited` is set. Appends to *names the dialects that this one
// extends, nearest first.
Result<Json> ReadExtended(std::string_view text, bool strict, DialectSource bases,
                          std::vector<std::string>* names, ReadSource* source);

}  // namespace midwire::wire
