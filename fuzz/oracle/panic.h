// Reads what a peer wrote to stderr: is it a sanitizer's report, a panic, an uncaught exception,
// and which one? Called by the runner when a peer has died, or has said something on stderr. Pure.
#pragma once

#include <string>
#include <string_view>

namespace midwire::fuzz {

struct Panic {
  // kReport: a sanitizer's. kFatal: whoever says this has failed (a Rust or Go panic, a failed
  // assertion), whether the process lives on or not. kTrace: a stack trace; a peer that lives on
  // may have logged it and gone on in order.
  enum class Type { kNone, kTrace, kFatal, kReport } type = Type::kNone;
  // The kind of fault and its top frames of the peer's own code, without addresses and numbers that
  // change: the same for the same fault.
  std::string key;
  std::string line;  // the first line of it; of a sanitizer's the one that sums it up
  // Of a trace of Python's: more was written behind what was raised, as by one who has caught it
  // and gone on.
  bool gone_on = false;
};

// The most telling one in the text.
Panic FindPanic(std::string_view text);

// A sanitizer's report has begun, and the line that ends it (SUMMARY:) is not there yet.
bool ReportGoesOn(std::string_view text);

// A line of text cut down to what stays the same from run to run: numbers become `#`, quoted text
// goes. At most 160 bytes.
std::string Normalised(std::string_view line);

}  // namespace midwire::fuzz
