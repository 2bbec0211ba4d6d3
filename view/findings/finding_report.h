// Prints the result of replaying a finding's cassette: text for people, one JSON object for
// programs, JUnit XML for CI systems. Called by midwire replay. Pure. Everything that peers sent is
// escaped.
#pragma once

#include <string>
#include <vector>

namespace midwire::view {

struct FindingReport {
  struct Finding {
    std::string oracle;   // its name: "signal"
    std::string key;      // the same each time the fault occurs (doc/fuzz.md)
    std::string text;     // not escaped
    std::string cause{};  // the same for all findings of one cause; "": not known
  };
  std::string trace;              // as the user named it
  Finding recorded;               // the finding in the cassette's header
  std::vector<Finding> findings;  // those of the replay
  double seconds = 0;             // how long it took; only JUnit has it
  // A flaky finding is played until it shows: how often it was, and may be. 1 of 1: it is not
  // flaky.
  int plays = 1, most_plays = 1;
};

// Whether the recorded finding is among those of the replay.
bool StillOccurs(const FindingReport& report);

void AppendFindingText(const FindingReport& report, std::string* out);
// One line.
void AppendFindingJson(const FindingReport& report, std::string* out);
// One test, which fails while there is any finding.
void AppendFindingJunit(const FindingReport& report, std::string* out);

}  // namespace midwire::view
