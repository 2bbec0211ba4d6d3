// SARIF 2.1.0 (OASIS Standard, 27 March 2020). Line numbers of a trace have no meaning, so a
// result's place is the file, with the message as a logical location (3.33). The fingerprint
// (3.27.17) leaves the number of the message out: the same mistake in another recording is the same
// result.
#include <set>
#include <string>
#include <vector>

#include "view/text/check_report.h"
#include "wire/json/escape.h"
#include "wire/json/writer.h"

namespace midwire::view {
namespace {

using trace::Violation;
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

std::string MessageOf(const Violation& violation) {
  std::string text = violation.text.empty() ? violation.rule : violation.text;
  if (!violation.method.empty()) text = violation.method + ": " + text;
  if (!violation.pointer.empty()) text += ", at " + violation.pointer;
  if (!violation.expected.empty()) text += ", expected " + violation.expected;
  if (!violation.got.empty()) text += ", got " + violation.got;
  return wire::Escaped(text);
}

void WriteText(std::string_view key, std::string_view text, wire::JsonWriter* json) {
  json->Key(key).Open('{');
  json->Key("text").Text(text);
  json->Close('}');
}

void WriteRule(const trace::CheckedRule& rule, wire::JsonWriter* json) {
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

void WriteLocation(const Violation& violation, const std::string& uri, wire::JsonWriter* json) {
  json->Key("locations").Open('[');
  json->Open('{');
  json->Key("physicalLocation").Open('{');
  json->Key("artifactLocation").Open('{');
  json->Key("uri").Text(uri);
  json->Close('}');
  json->Close('}');
  if (violation.frame != 0) {
    const std::string number = std::to_string(violation.frame);
    json->Key("logicalLocations").Open('[');
    json->Open('{');
    json->Key("name").Text("message " + number);
    json->Key("fullyQualifiedName")
        .Text("session/" + std::to_string(violation.session) + "/message/" + number +
              wire::Escaped(violation.pointer));
    json->Key("kind").Text("object");
    json->Close('}');
    json->Close(']');
  }
  json->Close('}');
  json->Close(']');
}

void WriteResult(const Violation& violation, const std::string& uri, wire::JsonWriter* json) {
  json->Open('{');
  json->Key("ruleId").Text(violation.rule);
  json->Key("level").Text(LevelOf(violation.severity));
  WriteText("message", MessageOf(violation), json);
  WriteLocation(violation, uri, json);
  json->Key("partialFingerprints").Open('{');
  json->Key("midwire/v1")
      .Text(wire::Escaped(violation.rule + "|" + violation.method + "|" + violation.pointer + "|" +
                          violation.expected));
  json->Close('}');
  json->Close('}');
}

// The rules of the dialect and, of the many that are named after an oddity, those with a violation:
// viewers look up a result's rule here.
std::vector<trace::CheckedRule> RulesOf(const trace::ViolationList& violations,
                                        const CheckContext& context) {
  std::vector<trace::CheckedRule> rules = context.rules;
  std::set<std::string, std::less<>> listed;
  for (const trace::CheckedRule& rule : rules) listed.insert(rule.id);
  for (const auto& found : violations.listed()) {
    const Violation& violation = found.violation;
    if (!listed.insert(violation.rule).second) continue;
    rules.push_back({violation.rule, violation.clause, violation.text});
  }
  return rules;
}

}  // namespace

void AppendCheckSarif(const trace::ViolationList& violations, const CheckContext& context,
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
  for (const trace::CheckedRule& rule : RulesOf(violations, context)) WriteRule(rule, &json);
  json.Close(']');
  json.Close('}');
  json.Close('}');
  json.Key("properties").Open('{');
  json.Key("dialect").Text(context.dialect);
  json.Key("strict").Bool(context.strict);
  json.Close('}');
  json.Key("results").Open('[');
  const std::string uri = UriOf(context.trace == "-" ? "stdin" : context.trace);
  for (const auto& listed : violations.listed()) WriteResult(listed.violation, uri, &json);
  json.Close(']');
  json.Close('}');
  json.Close(']');
  json.Close('}');
  *out += '\n';
}

}  // namespace midwire::view
