// The formats in which programs print times, as data. Called by time_scan.cc, which reads them, and
// by the tests. doc/replay.md lists the same formats.
#pragma once

#include <span>
#include <string_view>

namespace midwire::replay {

// What a format is good for. All fit `{timestamp}` in a template.
enum class TimeUse : unsigned char {
  kTime,         // fits `timestamp`, and is found in texts
  kAfterLetter,  // also, but found only after one letter that is a word's first: "I1126 11:54:03"
  kAmbiguous,  // fits `timestamp`, but is not taken for a time where nothing declares one: "11:54"
  kNumber,     // in texts only, and as kAmbiguous: "20261126"
  kEpoch,      // in texts only, because a whole value may also be written as 1.7e9
};

// A grammar is a text with
//   %Y         a field (kFields in time_scan.cc)
//   <Tt >      one of these bytes
//   [x]        x or nothing
//   {x|y}      x or y
//   %T, %t     a clock of 24 hours with seconds; any clock, with or without a zone
// Other bytes stand for themselves. MayBegin in time_scan.cc knows what a time may begin with.
struct TimeFormat {
  std::string_view name, example, grammar;
  TimeUse use = TimeUse::kTime;
};

std::span<const TimeFormat> TimeFormats();
// What %T and %t stand for; "": no such one.
std::string_view ClockGrammar(char name);

}  // namespace midwire::replay
