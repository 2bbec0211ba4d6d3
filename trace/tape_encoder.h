// Encodes the tape: appends pcapng blocks to a buffer that the caller writes. Pure: no file, no
// clock. doc/trace-format.md is the specification, trace/pcapng_format.h has the constants.
#pragma once

#include <string>
#include <string_view>

#include "trace/event.h"
#include "trace/record.h"

namespace midwire::trace {

// The start of every tape: section header and the four interfaces.
void AppendTapeStart(std::string* out);
// Appends one record. head + body must be at most kMaxSegment bytes (asserted; the caller splits
// longer ones).
void AppendRecord(const Record& record, std::string* out);
void AppendEvent(int64_t time_ns, const Event& event, std::string* out);

}  // namespace midwire::trace
