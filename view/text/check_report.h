// Prints what `midwire check` found: text for people, one JSON object for programs, SARIF 2.1.0 for
// code scanning, JUnit XML for CI systems (doc/dialects.md describes each). Called by check. Pure:
// equal violations give equal bytes. Everything that peers sent is escaped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/report/violation_list.h"
#include "view/text/style.h"

namespace midwire::view {

struct CheckContext {
  std::string trace;     // as the user named it
  std::string dialect;   // its name; "": the trace could not be read
  std::string revision;  // "2025-06-18", or several, as check::Checker says; "": it has none
  std::string sureness;  // as in trace::SessionHead; "": it was named, or none fits
  bool strict = false;
  bool incomplete = false;  // the trace ends before its session did
  std::string error;        // why the trace, or the rest of it, could not be read; "": it was
  uint64_t messages = 0, sessions = 0;
  std::vector<trace::CheckedRule> rules;
  double seconds = 0;  // how long the check took; only JUnit has it
};

// What was found in one trace.
struct CheckedTrace {
  trace::ViolationList violations;
  CheckContext context;
};

// notes: print notes too.
void AppendCheckText(const trace::ViolationList& violations, const CheckContext& context,
                     bool notes, const Style& style, std::string* out);
void AppendCheckJson(const trace::ViolationList& violations, const CheckContext& context,
                     std::string* out);
// One run; each trace is an artifact of it. One that could not be read makes the run fail.
void AppendCheckSarif(const std::vector<CheckedTrace>& traces, std::string* out);
// A suite per trace, in it a test per rule; a violated must is a failure. That the trace could not
// be read is an error of one more test.
void AppendCheckJunit(const std::vector<CheckedTrace>& traces, std::string* out);

// Parts of the text that JUnit contains too. The line of a violation's message: number, direction,
// kind, method.
void AppendViolationPlace(const trace::Violation& violation, std::string* out);
// The violation itself: at most two lines.
void AppendViolation(const trace::Violation& violation, const Style& style, std::string* out);
// Whether the plugin crashed, which is no violation of a must.
bool HasCrashed(const trace::ViolationList& violations);
// "broken: 2 must, 1 should, 0 notes in 14 messages, checked against mcp 2025-06-18"; or "fine:
// ..."; if nothing is broken, "crashed: ..." if the plugin crashed, "incomplete: ..." if the trace
// is. At its end, how much was not checked.
std::string CheckVerdict(const trace::ViolationList& violations, const CheckContext& context);

}  // namespace midwire::view
