// One term of a filter, such as latency>50ms: field, comparison and value. Created by the parser in
// filter.cc, applied to each line. A new field is a row in the table of fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  kLabel,
  kFailed,
  kUnanswered,
};
enum class FilterOp : uint8_t { kEqual, kNotEqual, kLess, kAtMost, kMore, kAtLeast, kContains };

struct FilterTerm {
  FilterField field = FilterField::kNumber;
  FilterOp op = FilterOp::kEqual;
  bool glob = false;      // value holds * or ?, and was not quoted
  bool is_token = false;  // id: compare the id's spelling, not the text of a string id
  int64_t bound = 0;      // of fields that are numbers
  std::string value;
  // Of text: the value with \u escapes for all that is not ASCII, as Python's json.dumps spells it;
  // with small and with capital hexadecimal digits.
  std::vector<std::string> escaped;

  bool Matches(const Line& line) const;
};

enum class FilterFit : uint8_t { kFits, kWrongOp, kWrongValue };
// Makes a term; `field` must be one that IsFilterField knows. If the value or the operator does not
// fit, *expected is what would. `quoted`: the value was in quotes (`value` is without them).
FilterFit MakeFilterTerm(std::string_view field, FilterOp op, std::string_view value, bool quoted,
                         FilterTerm* term, std::string* expected);

bool IsFilterField(std::string_view name);
// The field of a word that is a term by itself (failed, unanswered, pending).
std::optional<FilterField> FilterWord(std::string_view word);
std::string_view FilterFieldNames();     // "number, at, dir, ..."
std::string_view FilterWordNames();      // "failed, ..."
std::vector<std::string> FilterNames();  // both

}  // namespace midwire::trace
