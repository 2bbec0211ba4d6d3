#include <string>

#include "tools/check_report.h"
#include "wire/json/writer.h"

namespace midwire::tools {
namespace {

using wire::Severity;

void WriteFinding(const check::Violation& finding, wire::JsonWriter* json) {
  json->Open('{');
  json->Key("rule").Text(finding.rule);
  if (!finding.clause.empty()) json->Key("clause").Text(finding.clause);
  json->Key("severity").Text(Name(finding.severity));
  json->Key("session").Number(finding.session);
  if (finding.frame != 0) {
    json->Key("n").Number(finding.frame);
    json->Key("dir").Text(wire::ShortName(finding.direction));
    json->Key("kind").Text(wire::Name(finding.kind));
  } else if (finding.rule.ends_with(".junk")) {
    json->Key("dir").Text(wire::ShortName(finding.direction));
  }
  if (!finding.method.empty()) json->Key("method").Text(finding.method);
  if (finding.frame != 0) json->Key("pointer").Text(finding.pointer);
  WriteBytes("expected", finding.expected, json);
  WriteBytes("got", finding.got, json);
  json->Key("text").Text(finding.text);
  json->Close('}');
}

}  // namespace

void AppendCheckJson(const CheckFindings& findings, const CheckContext& context, std::string* out) {
  wire::JsonWriter json(out);
  json.Open('{');
  json.Key("midwire").Text("report");
  json.Key("version").Number(1);
  json.Key("verb").Text("check");
  json.Key("trace").Text(context.trace);
  json.Key("dialect").Text(context.dialect);
  json.Key("strict").Bool(context.strict);
  json.Key("fine").Bool(findings.count(Severity::kMust) == 0);
  json.Key("messages").Number(context.messages);
  json.Key("sessions").Number(context.sessions);
  for (const Severity severity : {Severity::kMust, Severity::kShould, Severity::kNote}) {
    json.Key(Name(severity)).Number(findings.count(severity));
  }
  json.Key("finding_count").Number(findings.count());
  json.Key("findings").Open('[');
  for (const auto& listed : findings.listed()) WriteFinding(listed.finding, &json);
  json.Close(']');
  json.Close('}');
  *out += '\n';
}

}  // namespace midwire::tools
