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

// In the order of the calendar; a short name is the first three letters of the long one.
inline constexpr std::string_view kDayNames[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                 "Friday", "Saturday", "Sunday"};
inline constexpr std::string_view kMonthNames[] = {"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};
inline constexpr size_t kShortName = 3;

// Longer names before their beginnings.
inline constexpr std::string_view kZoneNames[] = {
    "UTC", "GMT", "UT",  "Z",   "z",    "EST", "EDT",  "CST",  "CDT",  "MST",
    "MDT", "PST", "PDT", "CET", "CEST", "EET", "EEST", "WET",  "WEST", "BST",
    "IST", "JST", "KST", "HKT", "SGT",  "MSK", "AEST", "AEDT", "NZST", "NZDT"};
// The first half is of the morning.
inline constexpr std::string_view kHalfDays[] = {"AM", "am", "a.m.", "A.M.",
                                                 "PM", "pm", "p.m.", "P.M."};

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
