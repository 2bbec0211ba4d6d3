#include <string>

#include "view/text/replay_report.h"
#include "wire/json/writer.h"

namespace midwire::view {
namespace {

using trace::DifferenceKind;

void WriteItem(const trace::Difference& item, wire::JsonWriter* json) {
  json->Open('{');
  json->Key("finding").Text(trace::Name(item.difference));
  if (item.frame != 0) json->Key("n").Number(item.frame);
  const bool of_message = !IsOfProcess(item.difference);
  if (item.difference != DifferenceKind::kEnded && item.difference != DifferenceKind::kHung) {
    json->Key("dir").Text(wire::ShortName(item.direction));
  }
  if (of_message) json->Key("kind").Text(wire::Name(item.kind));
  if (!item.method.empty()) json->Key("method").Text(item.method);
  if (of_message) json->Key("pointer").Text(item.pointer);
  if (item.line != 0) json->Key("line").Number(item.line);
  WriteBytes("expected", item.expected, json);
  WriteBytes("got", item.got, json);
  if (item.closest != 0) json->Key("closest").Number(item.closest);
  if (!item.text.empty()) json->Key("text").Text(item.text);
  json->Close('}');
}

void WriteBinding(const trace::BindingUse& use, wire::JsonWriter* json) {
  json->Open('{');
  json->Key("name").Text(use.name);
  json->Key("from").Text(use.from);
  json->Key("to").Text(use.to);
  WriteBytes("recorded", use.recorded, json);
  json->Key("replaced").Bool(use.replaced);
  if (use.renamed) json->Key("renamed").Bool(true);
  json->Close('}');
}

}  // namespace

void AppendReplayJson(const trace::ReplayReport& report, const ReportContext& context,
                      std::string* out) {
  wire::JsonWriter json(out);
  json.Open('{');
  json.Key("midwire").Text("report");
  json.Key("version").Number(1);
  json.Key("verb").Text(context.verb);
  json.Key("trace").Text(context.trace);
  if (!context.head.dialect.empty()) json.Key("dialect").Text(context.head.dialect);
  if (!context.head.revision.empty()) json.Key("revision").Text(context.head.revision);
  json.Key("same").Bool(report.same());
  json.Key("sent").Number(report.sent);
  json.Key("to_send").Number(report.to_send);
  json.Key("matched").Number(report.matched);
  json.Key("expected").Number(report.expected);
  if (!context.ending.empty()) json.Key("ending").Text(context.ending);
  json.Key("finding_count").Number(report.difference_count);
  json.Key("findings").Open('[');
  for (const trace::Difference& item : report.differences) WriteItem(item, &json);
  json.Close(']');
  json.Key("bindings").Open('[');
  for (const trace::BindingUse& use : report.bindings) WriteBinding(use, &json);
  json.Close(']');
  json.Key("notes").Open('[');
  for (const std::string& note : report.notes) json.Text(note);
  json.Close(']');
  json.Close('}');
  *out += '\n';
}

}  // namespace midwire::view
