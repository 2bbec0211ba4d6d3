// Names in times: days, months, zones. Called by time_scan.cc and move_time.cc.
#pragma once

#include <string_view>

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

}  // namespace midwire::replay
