// What takes the rows of a trace: the page that is written, the filter that selects rows of it.
// Called by TraceRows.
#pragma once

#include <string_view>

#include "view/page/rows.h"
#include "wire/message.h"

namespace midwire::tools {

// A row and what belongs to it; valid during the call.
struct TraceRow {
  view::PageRow row;
  const wire::Id* id = nullptr;       // of a message
  std::optional<int64_t> latency_ns;  // of an answer
  bool failed = false;                // an error, or a failure by the dialect
  std::string_view bytes;             // as in the trace; of a large message only the first
  std::string_view text;              // what the filter field `text` tests
};

class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void OnRow(view::RowId id, const TraceRow& row) = 0;
  // What is known of a row only later.
  virtual void OnFlags(view::RowId id, uint8_t flags) { (void)id, (void)flags; }
  // Messages of one direction, from a row on up to a number, were never read.
  virtual void OnUnread(view::RowId first, uint64_t last, uint8_t direction) {
    (void)first, (void)last, (void)direction;
  }
  virtual bool stop() const { return false; }
};

}  // namespace midwire::tools
