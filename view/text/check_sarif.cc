// SARIF for check. A result's place is the file, with the message as a logical location (3.33), and
// in a cassette its line, which viewers show; a tape has no lines. The fingerprint (3.27.17) leaves
// the number of the message out: the same mistake in another recording is the same result.
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "view/text/check_report.h"
#include "view/text/sarif.h"
#include "wire/json/writer.h"

namespace midwire::view {
namespace {

using trace::Violation;
using wire::Severity;

std::string_view LevelOf(Severity severity) {
  if (severity == Severity::kMust) return "error";
  return severity == Severity::kShould ? "warning" : "note";
}

std::string MessageOf(const Violation& violation) {
  std::string text = violation.text.empty() ? violation.rule : violation.text;
  if (!violation.method.empty()) text = violation.method + ": " + text;
  if (!violation.pointer.empty()) text += ", at " + violation.pointer;
  if (!violation.item.empty()) text += " in " + violation.item;
  if (!violation.expected.empty()) text += ", expected " + violation.expected;
  if (!violation.got.empty()) text += ", got " + violation.got;
  return text;
}

SarifResult ResultOf(const Violation& violation, size_t file) {
  SarifResult result = {.rule = violation.rule,
                        .level = LevelOf(violation.severity),
                        .text = MessageOf(violation),
                        .file = file,
                        .line = violation.line,
                        .name = "",
                        .place = "",
                        .identity = violation.rule + "|" + violation.method + "|" +
                                    violation.pointer + "|" + violation.expected};
  if (violation.frame == 0) return result;
  const std::string number = std::to_string(violation.frame);
  result.name = "message " + number;
  result.place =
      "session/" + std::to_string(violation.session) + "/message/" + number + violation.pointer;
  return result;
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

// The dialect is one of the run only if all traces have it; so is the revision.
std::string PropertiesOf(const std::vector<CheckedTrace>& traces) {
  std::string properties;
  wire::JsonWriter json(&properties);
  json.Open('{');
  std::set<std::string_view> dialects, revisions;
  for (const CheckedTrace& checked : traces) {
    if (checked.context.dialect.empty()) continue;
    dialects.insert(checked.context.dialect);
    revisions.insert(checked.context.revision);
  }
  if (dialects.size() == 1) json.Key("dialect").Text(*dialects.begin());
  if (dialects.size() == 1 && revisions.size() == 1 && !revisions.begin()->empty()) {
    json.Key("revision").Text(*revisions.begin());
  }
  json.Key("strict").Bool(traces.front().context.strict);
  json.Close('}');
  return properties;
}

}  // namespace

void AppendCheckSarif(const std::vector<CheckedTrace>& traces, std::string* out) {
  SarifRun run = {
      .rules = RulesOf(traces), .properties = PropertiesOf(traces), .files = {}, .results = {}};
  for (size_t i = 0; i < traces.size(); ++i) {
    const CheckContext& context = traces[i].context;
    run.files.push_back({context.trace, context.dialect, context.error});
    for (const auto& listed : traces[i].violations.listed()) {
      run.results.push_back(ResultOf(listed.violation, i));
    }
  }
  AppendSarif(run, out);
}

}  // namespace midwire::view
