#include "tools/reporting/export_rows.h"

#include <utility>

#include "wire/json/path.h"
#include "wire/json/pointer.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"

namespace midwire::tools {
namespace {

using view::kNoExport;
using view::RowKind;

// Where requests carry the context of a trace: MCP's _meta, codex's trace, and
// the plain member.
const wire::Pointer kPlaces[] = {{{"params", "_meta", "traceparent"}},
                                 {{"trace", "traceparent"}},
                                 {{"params", "traceparent"}},
                                 {{"traceparent"}}};

constexpr int64_t kApartNs = 1'000'000;

std::string TraceparentIn(std::string_view text) {
  constexpr std::string_view kName = "traceparent";
  if (text.find(kName) == text.npos) return "";
  const std::string_view body = wire::Trimmed(text);
  if (!wire::IsLooseJson(body)) return "";
  for (const wire::Pointer& place : kPlaces) {
    const std::optional<std::string_view> value = wire::ValueAt(body, place);
    if (!value || wire::TypeOf(*value) != wire::JsonType::kString) continue;
    std::string found = wire::StringValue(*value);
    if (view::IsTraceparent(found)) return found;
  }
  return "";
}

}  // namespace

size_t ExportRows::IndexOf(view::RowId id) const {
  const auto known = indexes_.find(id);
  return known == indexes_.end() ? kNoExport : known->second;
}

void ExportRows::OnRow(view::RowId id, const TraceRow& row) {
  if (selection_ != nullptr && !selection_->Has(id)) return;
  if (row.row.kind >= RowKind::kJunk) return;
  if (trace_->rows.size() >= view::kMaxExportRows) {
    too_large_ = true;
    return;
  }
  const size_t index = trace_->rows.size();
  const bool request = row.row.kind == RowKind::kRequest;
  view::ExportRow added{.kind = row.row.kind,
                        .direction = row.row.direction,
                        .failed = (row.row.flags & view::kFailedRow) != 0,
                        .number = row.row.number,
                        .at_ns = row.row.at_ns,
                        .method = std::string(row.row.method),
                        .label = std::string(row.row.label),
                        .id = std::string(row.row.id),
                        .failure = std::string(row.row.failure),
                        .error = std::string(row.row.error),
                        .code = row.row.code,
                        .size = row.row.size};
  added.request = IndexOf(row.row.request);
  added.parent = IndexOf(row.row.parent);
  if (added.request != kNoExport) trace_->rows[added.request].answer = index;
  if (request) {
    indexes_.emplace(id, index);
    added.traceparent = TraceparentIn(row.text);
  }
  trace_->rows.push_back(std::move(added));
  ids_.push_back(id);
}

void ExportRows::OnFlags(view::RowId id, uint8_t flags) {
  const size_t index = IndexOf(id);
  if (index != kNoExport && (flags & view::kCancelledRow)) trace_->rows[index].cancelled = true;
}

void ExportRows::Finish(std::vector<view::PageSession> sessions) {
  trace_->sessions = std::move(sessions);
  size_t session = 0;
  for (size_t i = 0; i < ids_.size(); ++i) {
    while (session + 1 < trace_->sessions.size() && ids_[i] >= trace_->sessions[session].end) {
      ++session;
    }
    view::ExportRow& row = trace_->rows[i];
    view::PageSession& of = trace_->sessions[session];
    row.session = session;
    if (of.start_ns != 0) continue;
    // Without times, messages are apart by as much as makes their order visible.
    row.at_ns = of.duration_ns += kApartNs;
    spaced_out_ = true;
  }
}

}  // namespace midwire::tools
