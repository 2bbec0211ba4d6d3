// Encodes the tape: pcapng blocks, appended to a buffer that the caller writes out in one go. Pure:
// no file, no clock. doc/trace-format.md is the specification; trace/pcapng_format.h the constants.
#pragma once

#include <string>
#include <string_view>

#include "trace/event.h"
#include "trace/record.h"

namespace midwire::trace {

// Section header and the four interfaces: how every tape starts.
void AppendTapeStart(std::string* out);
// One record; head + body must be at most kMaxSegment bytes (longer: split by the caller;
// asserted).
void AppendRecord(const Record& record, std::string* out);
void AppendEvent(int64_t time_ns, const Event& event, std::string* out);

}  // namespace midwire::trace
