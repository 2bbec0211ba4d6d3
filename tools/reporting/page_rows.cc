#include "tools/reporting/page_rows.h"

#include <algorithm>

namespace midwire::tools {

void PageRows::OnRow(view::RowId id, const TraceRow& row) {
  if (too_large_ || (selection_ != nullptr && !selection_->Has(id - first_))) return;
  const uint64_t header = row.row.header;
  const uint64_t whole = row.bytes.size();
  uint64_t kept = whole;
  if (kept > header && kept - header > max_body_) kept = header + max_body_;
  // A line end is no loss.
  cut_ = cut_ || kept < std::min(whole, header + row.row.body);
  if (rows_->count() >= view::kMaxPageRows || blob_->size() + kept > kMaxPageBytes) {
    too_large_ = true;
    return;
  }
  view::PageRow added = row.row;
  added.kept = kept;
  rows_->Add(id, added);
  blob_->append(row.bytes.substr(0, kept));
}

}  // namespace midwire::tools
