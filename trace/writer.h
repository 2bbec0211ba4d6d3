// Writes a trace in either format, record by record. Used by convert and recover, and by whoever
// makes traces out of something else; the recorder has its own way (tape_encoder.h).
#pragma once

#include <memory>
#include <optional>

#include "trace/reader.h"
#include "trace/record.h"
#include "trace/source.h"

namespace midwire::trace {

class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  virtual Status OnRecord(const Record& record) = 0;
  // Something is missing here: leaves a gap event (see event.h), with the time of the latest
  // record.
  virtual Status OnGap(const Damage& damage) = 0;
  virtual Status OnSection() = 0;  // another session begins
  virtual Status OnEnd() = 0;      // nothing follows; must be called
};

// times: a cassette keeps times and segments, so that the tape can be made again byte by byte. (A
// tape always does.) The sink must outlive the writer.
std::unique_ptr<TraceWriter> MakeWriter(Format format, bool times, Sink* sink);

struct CopyOutcome {
  uint64_t records = 0;
  uint64_t gaps = 0;
  Damage first_gap;
  std::optional<Error> failure;  // the source failed on the way: nothing behind that was read
};

// Everything that `reader` can give, until kWait. An error: it could not be written.
Result<CopyOutcome> Copy(TraceReader* reader, TraceWriter* writer);

}  // namespace midwire::trace
