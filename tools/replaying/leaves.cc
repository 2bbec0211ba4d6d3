#include "tools/replaying/leaves.h"

#include <array>
#include <string>

#include "replay/leaves.h"
#include "tools/command.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "wire/counted.h"
#include "wire/json/escape.h"
#include "wire/json/writer.h"

namespace midwire::tools {
namespace {

using replay::Leaf;
using replay::LeafCounts;

Status VisitPlugins(replay::Loaded* loaded, const std::function<void(const Leaf&)>& visit) {
  return replay::VisitLeaves(loaded, wire::Direction::kPluginToHost, visit);
}

Status PrintJson(replay::Loaded* loaded, Output* output) {
  wire::JsonWriter json(output->text());
  json.Open('{');
  json.Key("leaves").Open('[');
  const Status visited = VisitPlugins(loaded, [&](const Leaf& leaf) {
    json.Open('{');
    json.Key("message").Number(leaf.message);
    json.Key("pointer").Text(leaf.pointer);
    json.Key("as").Text(replay::Name(leaf.as));
    if (!leaf.why.empty()) json.Key("why").Text(leaf.why);
    json.Close('}');
    output->Settle();
  });
  json.Close(']');
  json.Close('}');
  *output->text() += '\n';
  return visited;
}

Status PrintText(replay::Loaded* loaded, Output* output) {
  std::array<uint64_t, 7> counts{};
  uint64_t all = 0;
  const Status visited = VisitPlugins(loaded, [&](const Leaf& leaf) {
    ++counts[static_cast<size_t>(leaf.as)];
    ++all;
    if (leaf.as == LeafCounts::kCompared) return;
    *output->text() += std::to_string(leaf.message) + " " + wire::Escaped(leaf.pointer) + " " +
                       std::string(replay::Name(leaf.as)) + ": " + wire::Escaped(leaf.why) + "\n";
    output->Settle();
  });
  *output->text() += wire::Counted(all, "value");
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    *output->text() += ", " + std::to_string(counts[i]) + " " +
                       std::string(replay::Name(static_cast<LeafCounts>(i)));
  }
  *output->text() += "\n";
  return visited;
}

}  // namespace

int PrintLeaves(replay::Loaded* loaded, bool json) {
  Output output;
  const Status printed = json ? PrintJson(loaded, &output) : PrintText(loaded, &output);
  if (!printed) ReportError(printed.error());
  const int written = output.Finish();
  return printed ? written : kDataLost;
}

}  // namespace midwire::tools
