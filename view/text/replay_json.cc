#include <string>

#include "view/text/replay_report.h"
#include "wire/json/writer.h"

namespace midwire::view {
namespace {

using trace::DifferenceKind;

// Of one that is new, no index in the trace; of one that is gone, no other.
void WriteChange(const trace::ItemChange& change, wire::JsonWriter* json) {
  using What = trace::ItemChange::What;
  json->Open('{');
  json->Key("change").Text(trace::Name(change.what));
  WriteBytes("item", change.item, json);
  if (change.what != What::kNew) json->Key("from").Number(change.from);
  if (change.what != What::kGone) json->Key("at").Number(change.at);
  if (change.what == What::kDiffers) {
    json->Key("pointer").Text(change.pointer);
    if (change.line != 0) json->Key("line").Number(change.line);
    WriteBytes("expected", change.expected, json);
    WriteBytes("got", change.got, json);
  }
  json->Close('}');
}

void WriteItems(const trace::ItemChanges& items, wire::JsonWriter* json) {
  json->Key("items").Open('{');
  json->Key("pointer").Text(items.pointer);
  json->Key("recorded").Number(items.recorded);
  json->Key("came").Number(items.came);
  json->Key("change_count").Number(items.count);
  json->Key("changes").Open('[');
  for (const trace::ItemChange& change : items.first) WriteChange(change, json);
  json->Close(']');
  json->Close('}');
}

void WriteItem(const trace::Difference& item, wire::JsonWriter* json) {
  json->Open('{');
  json->Key("finding").Text(trace::Name(item.difference));
  if (item.frame != 0) json->Key("n").Number(item.frame);
  if (item.other != 0) json->Key("b").Number(item.other);
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
  if (item.items.count != 0) WriteItems(item.items, json);
  if (item.closest != 0) json->Key("closest").Number(item.closest);
  if (!item.also.empty()) {
    json->Key("also").Open('[');
    for (const std::string& pointer : item.also) json->Text(pointer);
    json->Close(']');
    json->Key("also_count").Number(item.also_count);
  }
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
