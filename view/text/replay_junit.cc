// The structure follows what CI systems show of JUnit XML: one failure per test (so a test's
// differences are one failure). GitLab shows the text of a failure and not its message, and
// distinguishes tests by classname and name only. Jenkins takes the last dot of a classname as the
// end of a package. The time of a method is how long the run waited for its messages; the rest is
// that of the process, so that the times add up to the run's.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "view/text/append.h"
#include "view/text/junit.h"
#include "view/text/replay_report.h"
#include "view/text/xml.h"
#include "wire/json/escape.h"

namespace midwire::view {
namespace {

using trace::Difference;
using trace::ReplayReport;

// How many passed tests are listed; a trace may have any number of methods.
constexpr size_t kMaxPassed = 1000;
constexpr std::string_view kProcess = "process";
constexpr std::string_view kNoMethod = "other messages";
constexpr std::string_view kUnlisted = "more differences";

void AppendCount(std::string_view name, size_t value, std::string* out) {
  std::string text;
  AppendNumber(value, &text);
  AppendXmlAttribute(name, text, out);
}

struct MethodCase {
  std::string name;
  std::string type, text;  // of its failure
  size_t findings = 0;     // differences; 0: passed
  double seconds = 0;
};

class Cases {
 public:
  MethodCase& Get(const std::string& name) {
    const auto [at, fresh] = index_.try_emplace(name, cases_.size());
    if (fresh) cases_.push_back({name});
    return cases_[at->second];
  }
  MethodCase* Find(const std::string& name) {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &cases_[found->second];
  }
  const std::vector<MethodCase>& all() const { return cases_; }

 private:
  std::vector<MethodCase> cases_;
  std::unordered_map<std::string, size_t> index_;
};

// Names are compared as they are printed: two that look the same would be one test to a CI system.
std::string CaseNameOf(const Difference& item) {
  if (IsOfProcess(item.difference)) return std::string(kProcess);
  return item.method.empty() ? std::string(kNoMethod) : wire::Escaped(item.method);
}

std::vector<MethodCase> CasesOf(const ReplayReport& report, const ReportContext& context) {
  Cases cases;
  cases.Get(std::string(kProcess));
  for (const std::string& method : context.methods) {
    if (cases.all().size() > kMaxPassed) break;
    if (!method.empty()) cases.Get(wire::Escaped(method));
  }
  for (const Difference& item : report.differences) {
    MethodCase& test = cases.Get(CaseNameOf(item));
    if (test.findings++ == 0) test.type = trace::Name(item.difference);
    AppendReplayItem(item, context, Style(), &test.text);
  }
  if (report.difference_count > report.differences.size()) {
    MethodCase& test = cases.Get(std::string(kUnlisted));
    if (test.findings == 0) test.type = "more";
    test.findings += report.difference_count - report.differences.size();
    test.text += "Too many to list: ";
    AppendNumber(report.difference_count, &test.text);
    test.text += " in all.\n";
  }
  double rest = context.seconds;
  for (const auto& [method, seconds] : context.method_seconds) {
    MethodCase* test = cases.Find(wire::Escaped(method));
    if (test == nullptr || method.empty()) continue;
    test->seconds += seconds;
    rest -= seconds;
  }
  cases.Get(std::string(kProcess)).seconds += rest;
  return cases.all();
}

void AppendMethodCase(const MethodCase& test, std::string_view classname, std::string* out) {
  *out += "    <testcase";
  AppendXmlAttribute("classname", classname, out);
  AppendXmlAttribute("name", test.name, out);
  AppendJunitTime(test.seconds, out);
  if (test.findings == 0) {
    *out += "/>\n";
    return;
  }
  *out += ">\n      <failure";
  AppendXmlAttribute("type", test.type, out);
  std::string message;
  AppendNumber(test.findings, &message);
  message += test.findings == 1 ? " difference" : " differences";
  AppendXmlAttribute("message", message, out);
  *out += '>';
  AppendXml(test.text, out);
  *out += "</failure>\n    </testcase>\n";
}

}  // namespace

void AppendReplayJunit(const ReplayReport& report, const ReportContext& context, std::string* out) {
  const std::vector<MethodCase> cases = CasesOf(report, context);
  const size_t failures = static_cast<size_t>(std::count_if(
      cases.begin(), cases.end(), [](const MethodCase& test) { return test.findings; }));
  const std::string classname = JunitClassname(context.verb, context.trace);
  const auto totals = [&](std::string_view element, const std::string& name) {
    *out += element;
    AppendXmlAttribute("name", name, out);
    AppendCount("tests", cases.size(), out);
    AppendCount("failures", failures, out);
    *out += " errors=\"0\"";
    AppendJunitTime(context.seconds, out);
    *out += ">\n";
  };
  *out += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  totals("<testsuites", "midwire " + context.verb);
  totals("  <testsuite", context.trace);
  for (const MethodCase& test : cases) AppendMethodCase(test, classname, out);
  *out += "    <system-out>";
  for (const std::string& note : report.notes) {
    AppendXml("note: " + wire::Escaped(note) + "\n", out);
  }
  if (!context.ending.empty()) AppendXml("ended: " + wire::Escaped(context.ending) + "\n", out);
  AppendXml(VerdictOf(report, context) + "\n", out);
  *out += "</system-out>\n  </testsuite>\n</testsuites>\n";
}

}  // namespace midwire::view
