#include "view/findings/finding_report.h"

#include <algorithm>

#include "view/text/junit.h"
#include "view/text/xml.h"
#include "wire/json/escape.h"
#include "wire/json/writer.h"

namespace midwire::view {
namespace {

using Finding = FindingReport::Finding;

// A finding of the same cause is the recorded one, in another place.
bool IsSame(const Finding& a, const Finding& b) {
  return a.key == b.key || (!a.cause.empty() && a.cause == b.cause);
}

const Finding* FindRecorded(const FindingReport& report) {
  const auto found =
      std::find_if(report.findings.begin(), report.findings.end(),
                   [&](const Finding& finding) { return IsSame(finding, report.recorded); });
  return found == report.findings.end() ? nullptr : &*found;
}

// "signal: ended by SIGSEGV ..."
std::string LineOf(const Finding& finding) {
  return finding.oracle + ": " + wire::Escaped(finding.text) + "\n";
}

}  // namespace

bool StillOccurs(const FindingReport& report) { return FindRecorded(report) != nullptr; }

void AppendFindingText(const FindingReport& report, std::string* out) {
  const Finding* same = FindRecorded(report);
  if (same != nullptr) *out += "still occurs: " + wire::Escaped(same->text) + "\n";
  for (const Finding& finding : report.findings) {
    if (!IsSame(finding, report.recorded)) *out += "another finding: " + LineOf(finding);
  }
  if (report.findings.empty()) {
    *out += "no longer occurs: " + wire::Escaped(report.recorded.text) + "\n";
  }
  if (report.most_plays > 1) {
    *out += same != nullptr
                ? "the finding is flaky: it occurred in play " + std::to_string(report.plays) +
                      " of at most " + std::to_string(report.most_plays) + "\n"
                : "the finding is flaky: it did not occur in " + std::to_string(report.plays) +
                      " plays\n";
  }
}

void AppendFindingJson(const FindingReport& report, std::string* out) {
  wire::JsonWriter json(out);
  json.Open('{');
  json.Key("midwire").Text("report");
  json.Key("version").Number(1);
  json.Key("verb").Text("replay");
  json.Key("trace").Text(report.trace);
  json.Key("key").Text(report.recorded.key);
  json.Key("plays").Number(report.plays);
  json.Key("shown").Bool(StillOccurs(report));
  json.Key("findings").Open('[');
  for (const Finding& finding : report.findings) {
    json.Open('{');
    json.Key("oracle").Text(finding.oracle);
    json.Key("key").Text(finding.key);
    json.Key("text").Text(finding.text);
    json.Close('}');
  }
  json.Close(']');
  json.Close('}');
  *out += '\n';
}

void AppendFindingJunit(const FindingReport& report, std::string* out) {
  const bool failed = !report.findings.empty();
  const auto totals = [&](std::string_view element, const std::string& name) {
    *out += element;
    AppendXmlAttribute("name", name, out);
    *out += failed ? " tests=\"1\" failures=\"1\"" : " tests=\"1\" failures=\"0\"";
    AppendJunitTime(report.seconds, out);
    *out += '>';
  };
  *out += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  totals("<testsuites", "midwire replay");
  totals("<testsuite", report.trace);
  *out += "<testcase";
  AppendXmlAttribute("classname", JunitClassname("replay", report.trace), out);
  AppendXmlAttribute("name", report.recorded.key, out);
  AppendJunitTime(report.seconds, out);
  *out += '>';
  if (failed) {
    *out += "<failure";
    AppendXmlAttribute("message", report.findings[0].text, out);
    AppendXmlAttribute("type", report.findings[0].oracle, out);
    *out += '>';
    for (const Finding& finding : report.findings) AppendXml(LineOf(finding), out);
    *out += "</failure>";
  }
  *out += "</testcase></testsuite></testsuites>\n";
}

}  // namespace midwire::view
