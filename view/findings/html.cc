#include "view/findings/saved_findings.h"
#include "view/text/xml.h"
#include "wire/json/escape.h"

namespace midwire::view {
namespace {

// Nothing is loaded, whatever gets past the escapes.
constexpr char kPageStart[] = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Findings of midwire fuzz</title>
<style>
:root { color-scheme: light dark; }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1rem; margin: 2rem 0 .3rem; }
pre { overflow-x: auto; padding: .5rem; border: 1px solid #8885; }
.error { color: #c2352b; } .warning { color: #b06f00; } .note { opacity: .7; }
</style></head><body>
<h1>Findings of midwire fuzz</h1>
)";

void AppendElement(std::string_view name, std::string_view text, std::string* out) {
  *out += '<';
  *out += name;
  *out += '>';
  AppendXml(wire::Escaped(text), out);
  *out += "</";
  *out += name;
  *out += ">\n";
}

}  // namespace

void AppendSavedHtml(std::span<const SavedFinding> findings, std::string* out) {
  *out += kPageStart;
  AppendElement("p", CountText(findings), out);
  for (const SavedFinding& finding : findings) {
    *out += "<h2><span";
    AppendXmlAttribute("class", finding.severity, out);
    *out += '>' + finding.severity + ": " + finding.kind + "</span> ";
    AppendXml(wire::Escaped(finding.text), out);
    *out += "</h2>\n";
    AppendElement("p", "Cause: " + finding.key, out);
    if (!finding.err.empty()) AppendElement("p", "stderr: " + finding.err, out);
    if (!finding.flaky.empty()) AppendElement("p", "Flaky: " + finding.flaky, out);
    if (finding.like_count > 0) AppendElement("p", "Like it: " + LikeText(finding), out);
    if (!finding.also.empty()) AppendElement("p", "Also: " + AlsoText(finding), out);
    AppendElement("p", "Input (" + finding.sent + "):", out);
    *out += "<pre>";
    for (const std::string& line : finding.input) AppendXml(line + "\n", out);
    *out += "</pre>\n";
    AppendElement("p", "Replay:", out);
    AppendElement("pre", finding.command, out);
  }
  *out += "</body></html>\n";
}

}  // namespace midwire::view
