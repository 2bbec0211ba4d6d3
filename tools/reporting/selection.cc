#include "tools/reporting/selection.h"

#include <algorithm>

#include "tools/console/diagnostics.h"
#include "tools/read_trace.h"
#include "tools/reporting/trace_rows.h"

namespace midwire::tools {
namespace {

constexpr std::string_view kNames[] = {"request", "response", "error", "notification", "batch",
                                       "invalid", "junk",     "event", "stderr",       "damage"};

}  // namespace

void Selection::OnRow(view::RowId id, const TraceRow& row) {
  if (known_) {
    if (id < rows_.size() && Matches(id, row)) rows_[id].wanted = true;
    return;
  }
  rows_.resize(id + 1);
  Row& to = rows_[id];
  to.message = row.row.kind < view::RowKind::kJunk && !(row.row.flags & view::kElementRow);
  to.request = row.row.kind == view::RowKind::kRequest;
  if (row.row.request == view::kNoRow) return;
  to.other = row.row.request;
  to.latency_ns = row.latency_ns.value_or(-1);
  rows_[to.other].other = id;
  rows_[to.other].latency_ns = to.latency_ns;
}

void Selection::OnFlags(view::RowId id, uint8_t flags) {
  if (id < rows_.size() && (flags & view::kCancelledRow)) rows_[id].cancelled = true;
}

bool Selection::Matches(view::RowId id, const TraceRow& row) {
  if (filter_ == nullptr) return true;
  const view::PageRow& from = row.row;
  const bool element = (from.flags & view::kElementRow) != 0;
  const bool message = from.kind < view::RowKind::kJunk;
  trace::Line line;
  line.kind = kNames[static_cast<int>(from.kind)];
  if (from.direction < 2) line.direction = static_cast<wire::Direction>(from.direction);
  line.at_ns = from.at_ns;
  line.text = row.text;
  if (!from.method.empty()) line.method = from.method;
  line.id = row.id;
  if (message) line.number = from.number;
  if (!element && from.kind != view::RowKind::kEvent) line.size = from.size;
  line.error_code = from.code;
  if (from.kind == view::RowKind::kError) line.error = from.error;
  if (message && !from.label.empty()) line.label = from.label;
  line.failed = row.failed;
  const Row& known = rows_[id];
  line.unanswered = known.request && known.other == view::kNoRow && !known.cancelled;
  if (known.latency_ns >= 0) line.latency_ns = known.latency_ns;
  return filter_->Matches(line);
}

void Selection::Decide() {
  if (!known_) {
    known_ = true;
    return;
  }
  if (filter_ != nullptr) {
    // A call is shown with both ends.
    for (size_t id = 0; id < rows_.size(); ++id) {
      if (!rows_[id].wanted || rows_[id].other == view::kNoRow) continue;
      rows_[rows_[id].other].wanted = true;
    }
  }
  if (last_ == 0) return;
  uint64_t messages = 0;
  for (size_t id = rows_.size(); id-- > 0;) {
    if (messages >= last_) rows_[id].wanted = false;
    if (rows_[id].wanted && rows_[id].message) ++messages;
  }
}

bool Selection::misses() const {
  return filter_ != nullptr &&
         std::none_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.wanted; });
}

Status SelectRows(const std::string& path, const wire::Dialect* dialect, Selection* selection) {
  for (int pass = 0; pass < 2; ++pass) {
    TraceRows rows("", dialect, 0, selection);
    const Result<ReadOutcome> read = ReadTraceOrLog(path, /*follow=*/false, &rows);
    if (!read) return read.error();
    rows.Finish();
    selection->Decide();
  }
  if (selection->misses()) ReportNote("nothing matches --where: what is written has no message");
  return Ok{};
}

}  // namespace midwire::tools
