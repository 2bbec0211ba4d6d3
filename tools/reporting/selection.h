// Which rows of a trace a page has: those that a filter matches, with the other end of each call,
// and of these the last. Reads a trace twice, because a request's line says how it was answered.
// Called by report. Keeps no bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/reporting/row_sink.h"
#include "trace/filter.h"
#include "wire/dialect/dialect.h"
#include "wire/outcome/result.h"

namespace midwire::tools {

class Selection : public RowSink {
 public:
  // `filter`: null for all rows; outlives it. `last`: 0 for all.
  Selection(trace::Filter* filter, uint64_t last) : filter_(filter), last_(last) {}

  // Give it all rows of a trace, then Decide, and the same rows once more, then Decide.
  void OnRow(view::RowId id, const TraceRow& row) override;
  void OnFlags(view::RowId id, uint8_t flags) override;
  void Decide();
  // The filter matches none of them.
  bool misses() const;
  bool Has(view::RowId id) const { return id < rows_.size() && rows_[id].wanted; }

 private:
  struct Row {
    view::RowId other = view::kNoRow;  // the other end of the call
    int64_t latency_ns = -1;
    bool message = false, request = false, cancelled = false, wanted = false;
  };
  bool Matches(view::RowId id, const TraceRow& row);

  trace::Filter* const filter_;
  const uint64_t last_;
  bool known_ = false;  // the rows were read once
  std::vector<Row> rows_;
};

// Reads a trace, a regular file, for a selection.
Status SelectRows(const std::string& path, const wire::Dialect* dialect, Selection* selection);

}  // namespace midwire::tools
