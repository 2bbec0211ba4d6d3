// The report of a run as text for people (doc/replay.md says what it holds): commands print it,
// tests show it where one fails. Pure: equal reports give equal bytes, and all that peers said is
// escaped. Knows no terminal; who has one hands in its marks.
#pragma once

#include <string>
#include <string_view>

#include "trace/report/replay_report.h"

namespace midwire::replay {

using trace::Difference;
using trace::ReplayReport;

struct TextLook {
  size_t width = 0;                  // columns; 0: as wide as people have their windows
  std::string_view bold, good, bad;  // written before such text; empty: no mark
  std::string_view plain;            // and this after it
  bool diff = false;                 // of two traces: nothing was sent
};

// Findings, what never came, bindings that replaced a value, notes; the last line is the verdict.
// `ending`: how the peer ended; "" where nothing ran.
void AppendReportText(const ReplayReport& report, std::string_view ending, const TextLook& look,
                      std::string* out);
// A finding: its line, and the values below it.
void AppendItem(const Difference& item, const TextLook& look, std::string* out);
// "different: 3 findings ...", without the end of the line.
std::string VerdictOf(const ReplayReport& report, bool diff);

}  // namespace midwire::replay
