// JUnit XML for check; replay_junit.cc describes what CI systems show of it. Only violations that
// fail a run are failures; a violated should is reported in the suite's output, as JUnit has no
// warnings. Rules are checked together, message by message, so only the suite has a time.
#include <algorithm>
#include <string>
#include <vector>

#include "view/text/append.h"
#include "view/text/check_report.h"
#include "view/text/junit.h"
#include "view/text/xml.h"
#include "wire/json/escape.h"

namespace midwire::view {
namespace {

using wire::Severity;

// Of what a list of failed tests shows; the text of the test has all of it.
constexpr size_t kMostMessage = 200;

struct RuleCase {
  std::string name;  // of the rule
  uint64_t violations = 0;
  std::string first;  // what the first one is
  std::string text;
};

RuleCase* CaseOf(const std::string& rule, std::vector<RuleCase>* cases) {
  const std::string name = wire::Escaped(rule);
  const auto found = std::find_if(cases->begin(), cases->end(),
                                  [&](const RuleCase& test) { return test.name == name; });
  if (found != cases->end()) return &*found;
  cases->push_back({name, 0, "", ""});
  return &cases->back();
}

void AppendRuleCase(const RuleCase& test, const std::string& classname, std::string* out) {
  *out += "    <testcase";
  AppendXmlAttribute("classname", classname, out);
  AppendXmlAttribute("name", test.name, out);
  if (test.violations == 0) {
    *out += "/>\n";
    return;
  }
  *out += ">\n      <failure type=\"must\"";
  AppendXmlAttribute("message",
                     std::to_string(test.violations) +
                         (test.violations == 1 ? " finding" : " findings") +
                         (test.first.empty() ? "" : ": " + test.first),
                     out);
  *out += '>';
  AppendXml(test.text, out);
  *out += "</failure>\n    </testcase>\n";
}

// What one trace's suite holds.
struct Suite {
  const CheckContext* context;
  std::vector<RuleCase> cases;
  std::string others;  // violations that fail no test

  size_t errors() const { return context->error.empty() ? 0 : 1; }
  size_t tests() const { return cases.size() + errors(); }
  size_t failures() const {
    return static_cast<size_t>(std::count_if(
        cases.begin(), cases.end(), [](const RuleCase& test) { return test.violations > 0; }));
  }
};

Suite SuiteOf(const CheckedTrace& checked) {
  Suite suite = {.context = &checked.context, .cases = {}, .others = {}};
  for (const trace::CheckedRule& rule : checked.context.rules) CaseOf(rule.id, &suite.cases);
  for (const auto& listed : checked.violations.listed()) {
    const trace::Violation& violation = listed.violation;
    if (violation.severity == Severity::kNote) continue;
    std::string* text = &suite.others;
    if (violation.severity == Severity::kMust) {
      RuleCase* test = CaseOf(violation.rule, &suite.cases);
      if (test->violations++ == 0) test->first = CutToColumns(violation.text, kMostMessage);
      text = &test->text;
    }
    AppendViolationPlace(violation, text);
    AppendViolation(violation, Style(), text);
  }
  if (!checked.context.dialect.empty()) {
    suite.others += CheckVerdict(checked.violations, checked.context) + "\n";
  }
  return suite;
}

struct Totals {
  size_t tests = 0, failures = 0, errors = 0;
  double seconds = 0;
};

void AppendTotals(std::string_view element, const std::string& name, const Totals& totals,
                  std::string* out) {
  *out += element;
  AppendXmlAttribute("name", name, out);
  AppendXmlAttribute("tests", std::to_string(totals.tests), out);
  AppendXmlAttribute("failures", std::to_string(totals.failures), out);
  AppendXmlAttribute("errors", std::to_string(totals.errors), out);
  AppendJunitTime(totals.seconds, out);
  *out += ">\n";
}

}  // namespace

void AppendCheckJunit(const std::vector<CheckedTrace>& traces, std::string* out) {
  std::vector<Suite> suites;
  Totals all;
  for (const CheckedTrace& checked : traces) {
    const Suite& suite = suites.emplace_back(SuiteOf(checked));
    all.tests += suite.tests();
    all.failures += suite.failures();
    all.errors += suite.errors();
    all.seconds += checked.context.seconds;
  }
  *out += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  AppendTotals("<testsuites", "midwire check", all, out);
  for (const Suite& suite : suites) {
    const std::string& trace = suite.context->trace;
    const Totals totals = {suite.tests(), suite.failures(), suite.errors(), suite.context->seconds};
    AppendTotals("  <testsuite", trace, totals, out);
    const std::string classname = JunitClassname("check", trace);
    if (suite.errors() != 0) AppendJunitError(classname, suite.context->error, out);
    for (const RuleCase& test : suite.cases) AppendRuleCase(test, classname, out);
    *out += "    <system-out>";
    AppendXml(suite.others, out);
    *out += "</system-out>\n  </testsuite>\n";
  }
  *out += "</testsuites>\n";
}

}  // namespace midwire::view
