// JUnit XML for check; replay_junit.cc describes what CI systems show of it. Only violations that
// fail a run are failures; a violated should is reported in the suite's output, as JUnit has no
// warnings. Rules are checked together, message by message, so only the suite has a time.
#include <algorithm>
#include <string>
#include <vector>

#include "view/text/check_report.h"
#include "view/text/junit.h"
#include "view/text/xml.h"
#include "wire/json/escape.h"

namespace midwire::view {
namespace {

using wire::Severity;

struct RuleCase {
  std::string name;  // of the rule
  uint64_t violations = 0;
  std::string text;
};

RuleCase* CaseOf(const std::string& rule, std::vector<RuleCase>* cases) {
  const std::string name = wire::Escaped(rule);
  const auto found = std::find_if(cases->begin(), cases->end(),
                                  [&](const RuleCase& test) { return test.name == name; });
  if (found != cases->end()) return &*found;
  cases->push_back({name, 0, ""});
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
  AppendXmlAttribute(
      "message",
      std::to_string(test.violations) + (test.violations == 1 ? " finding" : " findings"), out);
  *out += '>';
  AppendXml(test.text, out);
  *out += "</failure>\n    </testcase>\n";
}

}  // namespace

void AppendCheckJunit(const trace::ViolationList& violations, const CheckContext& context,
                      std::string* out) {
  std::vector<RuleCase> cases;
  for (const trace::CheckedRule& rule : context.rules) CaseOf(rule.id, &cases);
  std::string others;
  for (const auto& listed : violations.listed()) {
    const trace::Violation& violation = listed.violation;
    if (violation.severity == Severity::kNote) continue;
    std::string* text = &others;
    if (violation.severity == Severity::kMust) {
      RuleCase* test = CaseOf(violation.rule, &cases);
      ++test->violations;
      text = &test->text;
    }
    AppendViolationPlace(violation, text);
    AppendViolation(violation, Style(), text);
  }
  const auto failures = std::count_if(cases.begin(), cases.end(),
                                      [](const RuleCase& test) { return test.violations > 0; });
  const std::string classname = JunitClassname("check", context.trace);
  const auto totals = [&](std::string_view element, const std::string& name) {
    *out += element;
    AppendXmlAttribute("name", name, out);
    AppendXmlAttribute("tests", std::to_string(cases.size()), out);
    AppendXmlAttribute("failures", std::to_string(failures), out);
    *out += " errors=\"0\"";
    AppendJunitTime(context.seconds, out);
    *out += ">\n";
  };
  *out += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  totals("<testsuites", "midwire check");
  totals("  <testsuite", context.trace);
  for (const RuleCase& test : cases) AppendRuleCase(test, classname, out);
  *out += "    <system-out>";
  AppendXml(others + CheckVerdict(violations, context) + "\n", out);
  *out += "</system-out>\n  </testsuite>\n</testsuites>\n";
}

}  // namespace midwire::view
