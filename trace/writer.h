// Writes a trace in either format, record by record. Used by convert, recover and other commands
// that make traces; the recorder calls tape_encoder.h directly.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "trace/reader.h"
#include "trace/record.h"
#include "trace/source.h"
#include "wire/outcome/sink.h"

namespace midwire::trace {

class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  virtual Status OnRecord(const Record& record) = 0;
  // Something is missing here: writes a gap event (see event.h) with the time of the latest record.
  virtual Status OnGap(const Damage& damage) = 0;
  virtual Status OnSection() = 0;  // another session begins
  virtual Status OnEnd() = 0;      // nothing follows; must be called
};

// Writes a record of any size, in segments. `head`: how many of the bytes are its head.
Status WriteInSegments(Record record, std::string_view bytes, size_t head, TraceWriter* to);

// times: a cassette keeps times and segments, so that the tape can be reproduced byte by byte. (A
// tape always keeps them.) The sink must outlive the writer.
std::unique_ptr<TraceWriter> MakeWriter(Format format, bool times, Sink* sink);

struct CopyOutcome {
  uint64_t records = 0;
  uint64_t gaps = 0;
  Damage first_gap;
  std::optional<Error> failure;  // the source failed: nothing after that was read
};

// Copies all that `reader` returns, until kWait. Fails if it cannot be written.
Result<CopyOutcome> Copy(TraceReader* reader, TraceWriter* writer);

}  // namespace midwire::trace
