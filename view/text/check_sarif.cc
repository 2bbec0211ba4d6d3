// SARIF 2.1.0 (OASIS Standard, 27 March 2020). A result's place is the file, with the message as a
// logical location (3.33), and in a cassette its line, which viewers show; a tape has no lines. The
// fingerprint (3.27.17) leaves the number of the message out: the same mistake in another recording
// is the same result.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
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
  if (!violation.item.empty()) text += " in " + violation.item;
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

// A trace as a place of results; its index is that of run.artifacts (3.4.5).
struct Artifact {
  std::string uri;
  size_t index;
};

Artifact ArtifactOf(const std::vector<CheckedTrace>& traces, size_t index) {
  const std::string& trace = traces[index].context.trace;
  return {UriOf(trace == "-" ? "stdin" : trace), index};
}

void WriteArtifactLocation(const Artifact& artifact, wire::JsonWriter* json) {
  json->Key("artifactLocation").Open('{');
  json->Key("uri").Text(artifact.uri);
  json->Key("index").Number(artifact.index);
  json->Close('}');
}

void WriteLocation(const Violation& violation, const Artifact& artifact, wire::JsonWriter* json) {
  json->Key("locations").Open('[');
  json->Open('{');
  json->Key("physicalLocation").Open('{');
  WriteArtifactLocation(artifact, json);
  if (violation.line != 0) {
    json->Key("region").Open('{');
    json->Key("startLine").Number(violation.line);
    json->Close('}');
  }
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

void WriteResult(const Violation& violation, const Artifact& artifact, wire::JsonWriter* json) {
  json->Open('{');
  json->Key("ruleId").Text(violation.rule);
  json->Key("level").Text(LevelOf(violation.severity));
  WriteText("message", MessageOf(violation), json);
  WriteLocation(violation, artifact, json);
  json->Key("partialFingerprints").Open('{');
  json->Key("midwire/v1")
      .Text(wire::Escaped(violation.rule + "|" + violation.method + "|" + violation.pointer + "|" +
                          violation.expected));
  json->Close('}');
  json->Close('}');
}

// The rules of the dialects and, of the many that are named after an oddity, those with a
// violation: viewers look up a result's rule here. Of equal ids the first counts.
std::vector<trace::CheckedRule> RulesOf(const std::vector<CheckedTrace>& traces) {
  std::vector<trace::CheckedRule> rules;
  std::set<std::string, std::less<>> listed;
  const auto add = [&](const trace::CheckedRule& rule) {
    if (listed.insert(rule.id).second) rules.push_back(rule);
  };
  for (const CheckedTrace& checked : traces) {
    for (const trace::CheckedRule& rule : checked.context.rules) add(rule);
  }
  for (const CheckedTrace& checked : traces) {
    for (const auto& found : checked.violations.listed()) {
      const Violation& violation = found.violation;
      add({violation.rule, violation.clause, violation.text});
    }
  }
  return rules;
}

// The dialect is one of the run only if all traces have it.
void WriteProperties(const std::vector<CheckedTrace>& traces, wire::JsonWriter* json) {
  json->Key("properties").Open('{');
  std::set<std::string_view> dialects;
  for (const CheckedTrace& checked : traces) {
    if (!checked.context.dialect.empty()) dialects.insert(checked.context.dialect);
  }
  if (dialects.size() == 1) json->Key("dialect").Text(*dialects.begin());
  json->Key("strict").Bool(traces.front().context.strict);
  json->Close('}');
}

// The run failed (3.20.14) if a trace could not be read; each is an error of the tool (3.20.21), as
// no rule was violated. Without such a trace nothing is written.
void WriteInvocation(const std::vector<CheckedTrace>& traces, wire::JsonWriter* json) {
  const auto failed = [](const CheckedTrace& checked) { return !checked.context.error.empty(); };
  if (std::none_of(traces.begin(), traces.end(), failed)) return;
  json->Key("invocations").Open('[');
  json->Open('{');
  json->Key("executionSuccessful").Bool(false);
  json->Key("toolExecutionNotifications").Open('[');
  for (size_t i = 0; i < traces.size(); ++i) {
    if (!failed(traces[i])) continue;
    json->Open('{');
    json->Key("level").Text("error");
    WriteText("message", wire::Escaped(traces[i].context.error), json);
    json->Key("locations").Open('[');
    json->Open('{');
    json->Key("physicalLocation").Open('{');
    WriteArtifactLocation(ArtifactOf(traces, i), json);
    json->Close('}');
    json->Close('}');
    json->Close(']');
    json->Close('}');
  }
  json->Close(']');
  json->Close('}');
  json->Close(']');
}

void WriteArtifacts(const std::vector<CheckedTrace>& traces, wire::JsonWriter* json) {
  json->Key("artifacts").Open('[');
  for (size_t i = 0; i < traces.size(); ++i) {
    json->Open('{');
    json->Key("location").Open('{');
    json->Key("uri").Text(ArtifactOf(traces, i).uri);
    json->Close('}');
    if (!traces[i].context.dialect.empty()) {
      json->Key("properties").Open('{');
      json->Key("dialect").Text(traces[i].context.dialect);
      json->Close('}');
    }
    json->Close('}');
  }
  json->Close(']');
}

}  // namespace

void AppendCheckSarif(const std::vector<CheckedTrace>& traces, std::string* out) {
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
  for (const trace::CheckedRule& rule : RulesOf(traces)) WriteRule(rule, &json);
  json.Close(']');
  json.Close('}');
  json.Close('}');
  WriteInvocation(traces, &json);
  WriteProperties(traces, &json);
  WriteArtifacts(traces, &json);
  json.Key("results").Open('[');
  for (size_t i = 0; i < traces.size(); ++i) {
    const Artifact artifact = ArtifactOf(traces, i);
    for (const auto& listed : traces[i].violations.listed()) {
      WriteResult(listed.violation, artifact, &json);
    }
  }
  json.Close(']');
  json.Close('}');
  json.Close(']');
  json.Close('}');
  *out += '\n';
}

}  // namespace midwire::view
