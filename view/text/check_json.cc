#include <string>

#include "view/text/check_report.h"
#include "wire/json/writer.h"

namespace midwire::view {
namespace {

using wire::Severity;

void WriteViolation(const trace::Violation& violation, wire::JsonWriter* json) {
  json->Open('{');
  json->Key("rule").Text(violation.rule);
  if (!violation.clause.empty()) json->Key("clause").Text(violation.clause);
  json->Key("severity").Text(Name(violation.severity));
  json->Key("session").Number(violation.session);
  if (violation.line != 0) json->Key("line").Number(violation.line);
  if (violation.frame != 0) {
    json->Key("n").Number(violation.frame);
    json->Key("dir").Text(wire::ShortName(violation.direction));
    json->Key("kind").Text(wire::Name(violation.kind));
  } else if (violation.rule.starts_with("stdin.") || violation.rule.starts_with("stdout.")) {
    json->Key("dir").Text(wire::ShortName(violation.direction));
  }
  if (!violation.method.empty()) json->Key("method").Text(violation.method);
  if (violation.frame != 0) json->Key("pointer").Text(violation.pointer);
  WriteBytes("item", violation.item, json);
  WriteBytes("expected", violation.expected, json);
  WriteBytes("got", violation.got, json);
  json->Key("text").Text(violation.text);
  json->Close('}');
}

}  // namespace

void AppendCheckJson(const trace::ViolationList& violations, const CheckContext& context,
                     std::string* out) {
  wire::JsonWriter json(out);
  json.Open('{');
  json.Key("midwire").Text("report");
  json.Key("version").Number(1);
  json.Key("verb").Text("check");
  json.Key("trace").Text(context.trace);
  json.Key("dialect").Text(context.dialect);
  if (!context.revision.empty()) json.Key("revision").Text(context.revision);
  if (!context.sureness.empty()) json.Key("sureness").Text(context.sureness);
  json.Key("strict").Bool(context.strict);
  json.Key("fine").Bool(violations.count(Severity::kMust) == 0 && !context.incomplete &&
                        !HasCrashed(violations));
  json.Key("messages").Number(context.messages);
  json.Key("sessions").Number(context.sessions);
  for (const Severity severity : {Severity::kMust, Severity::kShould, Severity::kNote}) {
    json.Key(Name(severity)).Number(violations.count(severity));
  }
  json.Key("unchecked").Number(violations.unchecked());
  json.Key("finding_count").Number(violations.count());
  json.Key("findings").Open('[');
  for (const auto& listed : violations.listed()) WriteViolation(listed.violation, &json);
  json.Close(']');
  json.Close('}');
  *out += '\n';
}

}  // namespace midwire::view
