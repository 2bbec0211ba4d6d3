// SARIF 2.1.0 (OASIS Standard, 27 March 2020). A trace has no lines that mean something, so a
// result's place is the file, and within it the message as a logical location (3.33). The
// fingerprint (3.27.17) leaves the number of the message out: the same mistake in another recording
// is the same result.
#include <set>
#include <string>
#include <vector>

#include "tools/check_report.h"
#include "wire/json/escape.h"
#include "wire/json/writer.h"

namespace midwire::tools {
namespace {

using check::Violation;
using wire::Severity;

constexpr char kSchema[] = "https://json.schemastore.org/sarif-2.1.0.json";

std::string_view LevelOf(Severity severity) {
  if (severity == Severity::kMust) return "error";
  return severity == Severity::kShould ? "warning" : "note";
}

// RFC 3986: a path as a URI reference.
std::string UriOf(const std::string& path) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    if (plain) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return uri;
}

std::string MessageOf(const Violation& finding) {
  std::string text = finding.text.empty() ? finding.rule : finding.text;
  if (!finding.method.empty()) text = finding.method + ": " + text;
  if (!finding.pointer.empty()) text += ", at " + finding.pointer;
  if (!finding.expected.empty()) text += ", expected " + finding.expected;
  if (!finding.got.empty()) text += ", got " + finding.got;
  return wire::Escaped(text);
}

void WriteText(std::string_view key, std::string_view text, wire::JsonWriter* json) {
  json->Key(key).Open('{');
  json->Key("text").Text(text);
  json->Close('}');
}

void WriteRule(const CheckedRule& rule, wire::JsonWriter* json) {
  json->Open('{');
  json->Key("id").Text(rule.id);
  WriteText("shortDescription", wire::Escaped(rule.text.empty() ? rule.id : rule.text), json);
  if (!rule.clause.empty()) {
    json->Key("properties").Open('{');
    json->Key("clause").Text(rule.clause);
    json->Close('}');
  }
  json->Close('}');
}

void WriteLocation(const Violation& finding, const std::string& uri, wire::JsonWriter* json) {
  json->Key("locations").Open('[');
  json->Open('{');
  json->Key("physicalLocation").Open('{');
  json->Key("artifactLocation").Open('{');
  json->Key("uri").Text(uri);
  json->Close('}');
  json->Close('}');
  if (finding.frame != 0) {
    const std::string number = std::to_string(finding.frame);
    json->Key("logicalLocations").Open('[');
    json->Open('{');
    json->Key("name").Text("message " + number);
    json->Key("fullyQualifiedName")
        .Text("session/" + std::to_string(finding.session) + "/message/" + number +
              wire::Escaped(finding.pointer));
    json->Key("kind").Text("object");
    json->Close('}');
    json->Close(']');
  }
  json->Close('}');
  json->Close(']');
}

void WriteResult(const Violation& finding, const std::string& uri, wire::JsonWriter* json) {
  json->Open('{');
  json->Key("ruleId").Text(finding.rule);
  json->Key("level").Text(LevelOf(finding.severity));
  WriteText("message", MessageOf(finding), json);
  WriteLocation(finding, uri, json);
  json->Key("partialFingerprints").Open('{');
  json->Key("midwire/v1")
      .Text(wire::Escaped(finding.rule + "|" + finding.method + "|" + finding.pointer + "|" +
                          finding.expected));
  json->Close('}');
  json->Close('}');
}

// Those of the dialect, and of the many that are named after an oddity those that found something:
// viewers look a result's rule up here.
std::vector<CheckedRule> RulesOf(const CheckFindings& findings, const CheckContext& context) {
  std::vector<CheckedRule> rules = context.rules;
  std::set<std::string, std::less<>> listed;
  for (const CheckedRule& rule : rules) listed.insert(rule.id);
  for (const auto& found : findings.listed()) {
    const Violation& finding = found.finding;
    if (!listed.insert(finding.rule).second) continue;
    rules.push_back({finding.rule, finding.clause, finding.text});
  }
  return rules;
}

}  // namespace

void AppendCheckSarif(const CheckFindings& findings, const CheckContext& context,
                      std::string* out) {
  wire::JsonWriter json(out);
  json.Open('{');
  json.Key("$schema").Text(kSchema);
  json.Key("version").Text("2.1.0");
  json.Key("runs").Open('[');
  json.Open('{');
  json.Key("tool").Open('{');
  json.Key("driver").Open('{');
  json.Key("name").Text("midwire");
  json.Key("version").Text(MIDWIRE_VERSION);
  json.Key("rules").Open('[');
  for (const CheckedRule& rule : RulesOf(findings, context)) WriteRule(rule, &json);
  json.Close(']');
  json.Close('}');
  json.Close('}');
  json.Key("properties").Open('{');
  json.Key("dialect").Text(context.dialect);
  json.Key("strict").Bool(context.strict);
  json.Close('}');
  json.Key("results").Open('[');
  const std::string uri = UriOf(context.trace == "-" ? "stdin" : context.trace);
  for (const auto& listed : findings.listed()) WriteResult(listed.finding, uri, &json);
  json.Close(']');
  json.Close('}');
  json.Close(']');
  json.Close('}');
  *out += '\n';
}

}  // namespace midwire::tools
