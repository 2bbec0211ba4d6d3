// What `midwire check` found, and how it looks: text for people, one JSON object for programs,
// SARIF 2.1.0 for code scanning, JUnit XML for CI systems (doc/dialects.md says what each holds).
// Called by check. Pure: equal findings give equal bytes. All that peers said is escaped.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "check/rules/rule.h"
#include "tools/terminal.h"

namespace midwire::tools {

// Takes findings as they come and puts them in order: session, message, severity. Of each severity
// the first kMaxListed are kept, all are counted.
class CheckFindings {
 public:
  // Nobody reads more, and a trace of a gigabyte may break a rule with every message.
  static constexpr size_t kMaxListed = 10'000;

  // What has no message of its own is listed after the message that was `number` then.
  void Add(const check::Violation& finding, uint64_t number);
  void Sort();

  struct Listed {
    check::Violation finding;
    uint64_t place;
  };
  const std::vector<Listed>& listed() const { return listed_; }
  uint64_t count(wire::Severity severity) const { return counts_[static_cast<int>(severity)]; }
  uint64_t count() const;

 private:
  std::vector<Listed> listed_;
  std::array<uint64_t, 4> counts_ = {};
};

// A rule that was looked at.
struct CheckedRule {
  std::string id, clause, text;
};
// Those of every dialect, its handles' and its own.
std::vector<CheckedRule> RulesOf(const wire::Dialect& dialect);

struct CheckContext {
  std::string trace;    // as the user named it
  std::string dialect;  // its name
  bool strict = false;
  uint64_t messages = 0, sessions = 0;
  std::vector<CheckedRule> rules;
};

// notes: show notes too.
void AppendCheckText(const CheckFindings& findings, const CheckContext& context, bool notes,
                     const Look& look, std::string* out);
void AppendCheckJson(const CheckFindings& findings, const CheckContext& context, std::string* out);
void AppendCheckSarif(const CheckFindings& findings, const CheckContext& context, std::string* out);
// A test a rule; a must that is broken is a failure.
void AppendCheckJunit(const CheckFindings& findings, const CheckContext& context, std::string* out);

// Parts of the text that others show too. The line of a finding's message: number, direction, kind,
// method.
void AppendCheckPlace(const check::Violation& finding, std::string* out);
// The finding itself: two lines at most.
void AppendCheckFinding(const check::Violation& finding, const Look& look, std::string* out);
// "broken: 2 must, 1 should, 0 note in 14 messages, held against mcp".
std::string CheckVerdict(const CheckFindings& findings, const CheckContext& context);

}  // namespace midwire::tools
