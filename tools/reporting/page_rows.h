// Collects the rows of a page and their bytes, within the limits of a page. Called by report.
#pragma once

#include <cstdint>
#include <string>

#include "tools/reporting/row_sink.h"
#include "tools/reporting/selection.h"
#include "view/page/index.h"

namespace midwire::tools {

// Bytes of messages, unpacked, that a page may hold: a browser keeps all of them in memory.
inline constexpr uint64_t kMaxPageBytes = 256u << 20;

class PageRows : public RowSink {
 public:
  // `selection`: null for all rows. `max_body`: longer bodies are cut.
  PageRows(const Selection* selection, view::RowId first, uint64_t max_body, view::Rows* rows,
           std::string* blob)
      : selection_(selection), first_(first), max_body_(max_body), rows_(rows), blob_(blob) {}

  void OnRow(view::RowId id, const TraceRow& row) override;
  void OnFlags(view::RowId id, uint8_t flags) override { rows_->AddFlags(id, flags); }
  void OnUnread(view::RowId first, uint64_t last, uint8_t direction) override {
    rows_->AddFlags(first, last, direction, view::kUnreadRow);
  }
  bool stop() const override { return too_large_; }
  bool too_large() const { return too_large_; }
  bool cut() const { return cut_; }  // a body was

 private:
  const Selection* const selection_;
  const view::RowId first_;  // of the trace
  const uint64_t max_body_;
  view::Rows* const rows_;
  std::string* const blob_;
  bool too_large_ = false, cut_ = false;
};

}  // namespace midwire::tools
