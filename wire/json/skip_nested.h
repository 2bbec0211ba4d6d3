// Skips the inside of a JSON container 64 bytes at a time, with one bit per byte for quotes and
// brackets. A running parity masks out strings, and counting bits moves the depth. The idea is of
// Langdale and Lemire, "Parsing Gigabytes of JSON per Second", 2019. Called by JsonCursor, and by
// MessageScanner for everything below the member level; reads nothing outside [at, end).
#pragma once

#include <cstddef>
#include <cstdint>

namespace midwire::wire {

struct Nesting {
  size_t depth;    // open containers; at least 1 on entry
  bool in_string;  // never at a byte that a backslash escapes: the caller skips it
};

// Returns where it stopped: after the byte that made the depth 0, at a backslash, at a newline when
// `line`, or at `end`.
const char* SkipNested(const char* at, const char* end, bool line, Nesting* nesting);

}  // namespace midwire::wire
