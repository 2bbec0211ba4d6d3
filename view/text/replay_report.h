// Prints the report of a replay: text for people, one JSON object for programs, JUnit XML for CI
// systems (doc/replay.md describes each). Called by replay, mock, diff and the test kit. Pure:
// equal reports and contexts give equal bytes. Everything that peers sent is escaped.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trace/report/replay_report.h"
#include "trace/report/session_head.h"
#include "view/text/style.h"

namespace midwire::view {

// What a report does not contain about its run. Nothing here may change from run to run, except the
// times, which only JUnit has.
struct ReportContext {
  std::string trace;        // as the user named it
  std::string verb;         // "replay", "mock" or "diff"
  trace::SessionHead head;  // the dialect, if one is known
  // Of diff: the dialect of B, if it is another one. A's declarations apply to both.
  trace::SessionHead other = {};
  std::string ending;  // how the other party ended: "exit 0"; "" where nothing ran
  // Methods of the trace (replay::Script::methods): in JUnit those without a difference are passed
  // tests.
  std::vector<std::string> methods;
  double seconds = 0;                                         // how long the run took
  std::map<std::string, double, std::less<>> method_seconds;  // of it, waiting for messages of each
};

// Differences, missing messages, bindings that replaced a value, notes; the last line is the
// verdict.
void AppendReplayText(const trace::ReplayReport& report, const ReportContext& context,
                      const Style& style, std::string* out);
// One line.
void AppendReplayJson(const trace::ReplayReport& report, const ReportContext& context,
                      std::string* out);
// One test per method, and one for the process.
void AppendReplayJunit(const trace::ReplayReport& report, const ReportContext& context,
                       std::string* out);

// Parts of the text that JUnit contains too. A difference: its line, and the values below it, in
// the terms that suit the context's verb.
void AppendReplayItem(const trace::Difference& item, const ReportContext& context,
                      const Style& style, std::string* out);
// "different: 3 differences ...", without the end of the line.
std::string VerdictOf(const trace::ReplayReport& report, const ReportContext& context);
// Whether a difference concerns the process or its output as a whole, not a single message.
bool IsOfProcess(trace::DifferenceKind kind);

}  // namespace midwire::view
