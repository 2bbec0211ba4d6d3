// Why a process ended, in its own words: a stack, a panic, or else the first line of stderr that
// reports an error. Called by ending.h and process_findings.h, and by midwire findings. Pure.
#pragma once

#include <string>
#include <string_view>

namespace midwire::fuzz {

struct Reason {
  std::string key;   // the same for the same reason; "": none is given
  std::string line;  // for people
};
Reason ReasonOf(std::string_view err);

// The text without the lines of `usual`, which the peer also writes when nothing is wrong, such as
// what it says at its start. Numbers and quoted text may differ. A new stack is not taken apart.
std::string NewLines(std::string_view text, std::string_view usual);

}  // namespace midwire::fuzz
