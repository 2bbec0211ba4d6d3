#include "view/text/junit.h"

#include "view/findings/saved_findings.h"
#include "view/text/append.h"
#include "view/text/xml.h"
#include "wire/json/escape.h"

namespace midwire::view {
namespace {

// Of the name of a test: a key may have the whole message of a panic, which is in the text too.
constexpr size_t kMostName = 100;

void AppendFindingTest(const SavedFinding& finding, std::string* out) {
  *out += "<testcase";
  AppendXmlAttribute("classname", JunitClassname("findings", finding.cassette), out);
  AppendXmlAttribute("name", CutToColumns(finding.key, kMostName), out);
  std::string text;
  AppendSavedFinding(finding, 0, &text);
  if (finding.severity == "note") {
    *out += "><system-out>";
    AppendXml(text, out);
    *out += "</system-out></testcase>\n";
    return;
  }
  *out += "><failure";
  AppendXmlAttribute(
      "message",
      finding.kind + ": " + finding.text + (finding.err.empty() ? "" : "; stderr: " + finding.err),
      out);
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
