#include "view/text/junit.h"

#include "view/findings/saved_findings.h"
#include "view/text/xml.h"
#include "wire/json/escape.h"

namespace midwire::view {
namespace {

void AppendFindingTest(const SavedFinding& finding, std::string* out) {
  *out += "<testcase";
  AppendXmlAttribute("classname", JunitClassname("findings", finding.cassette), out);
  AppendXmlAttribute("name", finding.key, out);
  std::string text;
  AppendSavedText({&finding, 1}, &text);
  if (finding.severity == "note") {
    *out += "><system-out>";
    AppendXml(text, out);
    *out += "</system-out></testcase>\n";
    return;
  }
  *out += "><failure";
  AppendXmlAttribute("message", finding.text, out);
  AppendXmlAttribute("type", finding.severity, out);
  *out += '>';
  AppendXml(text, out);
  *out += "</failure></testcase>\n";
}

}  // namespace

void AppendSavedJunit(std::span<const SavedFinding> findings, std::string* out) {
  const SeverityCounts counts = CountSeverities(findings);
  const auto totals = [&](std::string_view element, const char* name) {
    *out += element;
    AppendXmlAttribute("name", name, out);
    AppendXmlAttribute("tests", std::to_string(findings.size()), out);
    AppendXmlAttribute("failures", std::to_string(counts.errors + counts.warnings), out);
    *out += ">\n";
  };
  *out += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  totals("<testsuites", "midwire findings");
  totals("<testsuite", "midwire fuzz");
  for (const SavedFinding& finding : findings) AppendFindingTest(finding, out);
  *out += "</testsuite></testsuites>\n";
}

}  // namespace midwire::view
