#include "tools/showing/raw.h"

#include "tools/command.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/read_trace.h"

namespace midwire::tools {
namespace {

class RawWriter : public TraceListener {
 public:
  RawWriter(trace::Stream stream, Output* output) : stream_(stream), output_(output) {}
  void OnRecord(const trace::Record& record) override {
    if (record.stream != stream_) return;
    output_->Write(record.head);
    output_->Write(record.body);
  }
  void OnPause() override { output_->Flush(); }
  bool stop() const override { return !output_->good(); }

 private:
  const trace::Stream stream_;
  Output* output_;
};

}  // namespace

int WriteRaw(const std::string& path, const std::string& stream, bool follow) {
  Output output;
  RawWriter writer(stream == "h2p"   ? trace::Stream::kHostToPlugin
                   : stream == "p2h" ? trace::Stream::kPluginToHost
                                     : trace::Stream::kStderr,
                   &output);
  const Result<ReadOutcome> ending = ReadTraceOrLog(path, follow, &writer);
  if (!ending) return Fail(ending.error());
  const int written = output.Finish();
  const int read = ReportOutcome(*ending);
  return written != kFine ? written : read;
}

}  // namespace midwire::tools
