// Finds a sanitizer's report, a panic or an uncaught exception in what a peer wrote to stderr.
// Called by fuzz/live when a peer has ended or has written to stderr, and by ending.h. Pure.
#pragma once

#include <string>
#include <string_view>

namespace midwire::fuzz {

struct Panic {
  // kReport: a sanitizer's report. kFatal: a failure, whether the process has ended or not (a Rust
  // or Go panic, a failed assertion). kTrace: a stack trace; a peer that is still running may have
  // caught and logged the exception.
  enum class Type { kNone, kTrace, kFatal, kReport } type = Type::kNone;
  // The kind of fault and the top frames in the peer's own code, without addresses and other
  // numbers that change: the same for the same fault.
  std::string key;
  std::string line;  // its first line; of a sanitizer's report, the summary
  // For a Python trace: more was written after it, so the exception was probably caught.
  bool gone_on = false;
};

// The most specific one in the text, see kSigns in panic.cc.
Panic FindPanic(std::string_view text);

// Whether a sanitizer's report has begun and its last line (SUMMARY:) is missing still.
bool ReportGoesOn(std::string_view text);

// The line without what changes from run to run: numbers become `#`, quoted text becomes `..`. At
// most 160 bytes.
std::string Normalised(std::string_view line);

}  // namespace midwire::fuzz
