// Reads times by the table of formats. Called by shape.cc and text_template.cc (does it fit?), and
// by tokens.cc (is there one?). Linear: what is read at one place has a bounded size, except
// for the digits of a fraction. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "replay/shape/time_formats.h"

namespace midwire::replay {

struct TimeField {
  char kind;  // as in the grammar, without %
  std::string_view text;
};
struct ReadTime {
  const TimeFormat* format;
  std::string_view text;
  std::vector<TimeField> fields;

  // nullptr: it has no such field.
  const TimeField* Field(char kind) const;
};

// Whether the whole text is a time that `timestamp` accepts. Numbers since 1970 are not among them.
bool IsTimeText(std::string_view text);

// The ends of all times that begin at `at`, ascending: "11:54:03" ends after the minute and after
// the second. What `{timestamp}` matches.
std::vector<size_t> TimeEnds(std::string_view text, size_t at);

// The longest time that begins at `at`, and is no part of something longer, such as a version or an
// address: 1.26.11.2026, a.c:11:54:03:7.
std::optional<ReadTime> FindTime(std::string_view text, size_t at);

}  // namespace midwire::replay
