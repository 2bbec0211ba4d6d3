#include "trace/writer.h"

#include <algorithm>

#include "trace/cassette_writer.h"
#include "trace/event.h"
#include "trace/tape_encoder.h"

namespace midwire::trace {
namespace {

class TapeWriter : public TraceWriter {
 public:
  explicit TapeWriter(Sink* sink) : sink_(sink) { AppendTapeStart(&buffer_); }

  Status OnRecord(const Record& record) override {
    time_ns_ = record.time_ns;
    AppendRecord(record, &buffer_);
    return Settle();
  }
  Status OnGap(const Damage& damage) override {
    AppendEvent(time_ns_, GapEvent{static_cast<int64_t>(damage.bytes), damage.reason}, &buffer_);
    return Settle();
  }
  Status OnSection() override {
    AppendTapeStart(&buffer_);
    return Settle();
  }
  Status OnEnd() override { return Settle(); }

 private:
  Status Settle() {
    Status written = sink_->Write(buffer_);
    buffer_.clear();
    return written;
  }

  Sink* sink_;
  std::string buffer_;
  int64_t time_ns_ = 0;
};

}  // namespace

Status WriteInSegments(Record record, std::string_view bytes, size_t head, TraceWriter* to) {
  do {
    const std::string_view segment = bytes.substr(0, kMaxSegment);
    head = std::min(head, segment.size());
    record.head = segment.substr(0, head);
    record.body = segment.substr(head);
    if (Status written = to->OnRecord(record); !written) return written;
    bytes.remove_prefix(segment.size());
    head = 0;
  } while (!bytes.empty());
  return Ok{};
}

std::unique_ptr<TraceWriter> MakeWriter(Format format, bool times, Sink* sink) {
  if (format == Format::kTape) return std::make_unique<TapeWriter>(sink);
  return std::make_unique<CassetteWriter>(sink, times);
}

Result<CopyOutcome> Copy(TraceReader* reader, TraceWriter* writer) {
  CopyOutcome outcome;
  Record record;
  for (bool more = true; more;) {
    Result<Step> step = reader->Next(&record);
    if (!step) outcome.failure = step.error();
    Status written = Ok{};
    switch (step ? *step : Step::kWait) {
      case Step::kRecord:
        ++outcome.records;
        written = writer->OnRecord(record);
        break;
      case Step::kSection:
        written = writer->OnSection();
        break;
      case Step::kDamage:
        if (outcome.gaps++ == 0) outcome.first_gap = reader->damage();
        written = writer->OnGap(reader->damage());
        break;
      case Step::kWait:
        more = false;
        written = writer->OnEnd();
    }
    if (!written) return written.error();
  }
  return outcome;
}

}  // namespace midwire::trace
