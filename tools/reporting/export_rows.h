// Collects the messages of a trace for its export. Called by export.
#pragma once

#include <unordered_map>

#include "tools/reporting/row_sink.h"
#include "tools/reporting/selection.h"
#include "view/export/export_trace.h"

namespace midwire::tools {

class ExportRows : public RowSink {
 public:
  // `selection`: null for all rows.
  ExportRows(const Selection* selection, view::ExportTrace* trace)
      : selection_(selection), trace_(trace) {}

  void OnRow(view::RowId id, const TraceRow& row) override;
  void OnFlags(view::RowId id, uint8_t flags) override;
  bool stop() const override { return too_large_; }
  bool too_large() const { return too_large_; }
  // The sessions are known: gives each row its own.
  void Finish(std::vector<view::PageSession> sessions);
  // The trace has no times: messages of a session are 1 ms apart in their order.
  bool spaced_out() const { return spaced_out_; }

 private:
  size_t IndexOf(view::RowId id) const;

  const Selection* const selection_;
  view::ExportTrace* const trace_;
  std::unordered_map<view::RowId, size_t> indexes_;  // of requests
  std::vector<view::RowId> ids_;                     // by index
  bool too_large_ = false, spaced_out_ = false;
};

}  // namespace midwire::tools
