// One term of a filter, such as latency>50ms: which field, which comparison, what value. Made by
// the parser in filter.cc, asked for every line. A new field is a row in the table of fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/filter.h"

namespace midwire::trace {

enum class FilterField : uint8_t {
  kNumber,
  kAt,
  kDirection,
  kKind,
  kMethod,
  kId,
  kSize,
  kLatency,
  kCode,
  kError,
  kText,
};
enum class FilterOp : uint8_t { kEqual, kNotEqual, kLess, kAtMost, kMore, kAtLeast, kContains };

struct FilterTerm {
  FilterField field = FilterField::kNumber;
  FilterOp op = FilterOp::kEqual;
  bool glob = false;      // value holds * or ?, and was not quoted
  bool is_token = false;  // id: compare the id's spelling, not the text of a string id
  int64_t bound = 0;      // of fields that are numbers
  std::string value;

  bool Matches(const Line& line) const;
};

enum class FilterFit : uint8_t { kFits, kWrongOp, kWrongValue };
// Makes the term of what was written; `field` is one that IsFilterField knows. Where it does not
// fit, *expected says what would. `quoted`: the value stood in quotes (`value` is without them).
FilterFit MakeFilterTerm(std::string_view field, FilterOp op, std::string_view value, bool quoted,
                         FilterTerm* term, std::string* expected);

bool IsFilterField(std::string_view name);
std::string_view FilterFieldNames();  // "number, at, dir, ..."

}  // namespace midwire::trace
