#include "tools/reporting/other_findings.h"

#include <memory>
#include <utility>

#include "fuzz/finding.h"
#include "tools/fuzzing/replay_finding.h"
#include "trace/source.h"
#include "wire/counted.h"
#include "wire/json/base64.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

using wire::Json;

// A report lists at most 1,000 differences, with values of at most 240 bytes; their methods and
// pointers are bounded by the messages that they are of.
constexpr size_t kMaxReplayReport = 64u << 20;

Result<std::string> TextOf(const std::string& path) {
  Result<std::unique_ptr<trace::Source>> source = trace::OpenSource(path);
  if (!source) return source.error();
  Result<std::string> text = trace::ReadUpTo(kMaxReplayReport, source->get());
  if (text && text->size() > kMaxReplayReport)
    return Error{"not a report of a replay: larger than 64 MiB", path,
                 "write one with midwire replay --json"};
  return text;
}

uint64_t NumberOf(const Json& object, std::string_view name) {
  const Json* const member = object.Find(name);
  const int64_t number = member == nullptr ? 0 : member->Integer().value_or(0);
  return number < 0 ? 0 : static_cast<uint64_t>(number);
}

// A text of a peer, which is base64 where it is not UTF-8.
std::string PeerText(const Json& object, const std::string& name) {
  std::string text(object.String(name));
  const std::string_view base64 = object.String(name + "_base64");
  if (text.empty() && !wire::DecodeBase64(base64, &text)) text.clear();
  return text;
}

// What no report has is no change.
std::optional<trace::ItemChange> FromChange(const Json& change) {
  using What = trace::ItemChange::What;
  for (const What what : {What::kNew, What::kGone, What::kMoved, What::kDiffers}) {
    if (change.String("change") != trace::Name(what)) continue;
    return trace::ItemChange{.what = what,
                             .item = PeerText(change, "item"),
                             .from = NumberOf(change, "from"),
                             .at = NumberOf(change, "at"),
                             .pointer = std::string(change.String("pointer")),
                             .expected = PeerText(change, "expected"),
                             .got = PeerText(change, "got")};
  }
  return std::nullopt;
}

trace::ItemChanges FromItems(const Json& items) {
  trace::ItemChanges changes{.pointer = std::string(items.String("pointer")),
                             .recorded = NumberOf(items, "recorded"),
                             .came = NumberOf(items, "came"),
                             .first = {},
                             .count = NumberOf(items, "change_count")};
  const Json* const first = items.Find("changes");
  if (first == nullptr || !first->is(Json::Type::kArray)) return changes;
  for (const Json& item : first->items) {
    if (changes.first.size() == trace::kMaxItemChanges) break;
    if (std::optional<trace::ItemChange> change = FromChange(item))
      changes.first.push_back(std::move(*change));
  }
  return changes;
}

// A difference of the report: every one is a failure of the replay, so none is less severe than
// another.
view::PageFinding FromDifference(const Json& item, view::RowId row) {
  view::PageFinding finding{.source = view::FindingSource::kReplay, .row = row};
  trace::Violation& violation = finding.violation;
  violation.rule = item.String("finding");
  violation.severity = wire::Severity::kMust;
  violation.frame = NumberOf(item, "n");
  violation.method = item.String("method");
  violation.pointer = item.String("pointer");
  violation.expected = PeerText(item, "expected");
  violation.got = PeerText(item, "got");
  violation.text = item.String("text");
  const Json* const items = item.Find("items");
  if (items != nullptr) finding.items = FromItems(*items);
  return finding;
}

}  // namespace

Result<ReplayFindings> ReadReplayReport(const std::string& path,
                                        const std::function<view::RowId(uint64_t)>& row_of) {
  const Result<std::string> text = TextOf(path);
  if (!text) return text.error();
  const Result<Json> report = wire::ParseJson(*text);
  const Error wrong{"--replay: not a report of a replay", path,
                    "write one with midwire replay TRACE --json -- PLUGIN > FILE"};
  if (!report || report->String("midwire") != "report") return wrong;
  const Json* const same = report->Find("same");
  const Json* const items = report->Find("findings");
  if (same == nullptr || !same->is(Json::Type::kBool) || items == nullptr ||
      !items->is(Json::Type::kArray)) {
    return wrong;
  }
  ReplayFindings found;
  found.replay = {.verb = std::string(report->String("verb")),
                  .same = same->boolean,
                  .matched = NumberOf(*report, "matched"),
                  .expected = NumberOf(*report, "expected")};
  for (const Json& item : items->items)
    found.findings.push_back(FromDifference(item, row_of(NumberOf(item, "n"))));
  return found;
}

Result<std::optional<view::PageFinding>> FuzzFinding(const std::string& trace, view::RowId last) {
  const Result<std::optional<fuzz::FindingRecord>> record = FindingOf(trace);
  if (!record) return record.error();
  if (!*record) return std::optional<view::PageFinding>();
  view::PageFinding finding{.source = view::FindingSource::kFuzz, .row = last};
  finding.violation.rule = fuzz::Name((*record)->oracle);
  finding.violation.text = (*record)->text;
  if ((*record)->tries > 0) {
    finding.violation.got = "reproduced in " + std::to_string((*record)->hits) + " of " +
                            wire::Counted(static_cast<uint64_t>((*record)->tries), "run");
  }
  return std::optional<view::PageFinding>(std::move(finding));
}

}  // namespace midwire::tools
