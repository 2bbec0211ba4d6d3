#include "tools/fuzzing/explain.h"

#include "fuzz/oracle/explain.h"
#include "tools/console/diagnostics.h"
#include "tools/console/exit_code.h"
#include "tools/fuzzing/replay_finding.h"
#include "tools/output.h"
#include "tools/read_trace.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

// Passes the bytes of the first session to the explainer.
class ExplainedSession : public TraceListener {
 public:
  explicit ExplainedSession(fuzz::Explainer* explainer) : explainer_(explainer) {}
  void OnRecord(const trace::Record& record) override {
    for (const auto direction : {wire::Direction::kHostToPlugin, wire::Direction::kPluginToHost}) {
      if (record.stream != trace::StreamOf(direction)) continue;
      explainer_->On(direction, std::string(record.head).append(record.body));
      any_ = true;
    }
    output.Write(explainer_->Take());
  }
  void OnSection() override { over_ = any_; }
  bool stop() const override { return over_; }
  Output output;

 private:
  fuzz::Explainer* explainer_;
  bool any_ = false, over_ = false;
};

}  // namespace

int ExplainFinding(const std::string& trace) {
  const auto record = FindingOf(trace);
  if (!record) return ReportError(record.error()), kUsage;
  if (!*record) {
    return ReportError({"not a finding", trace, "name a cassette that midwire fuzz has written"}),
           kUsage;
  }
  const std::string dialect = DialectOf(**record, trace);
  auto loaded = LoadCase(trace, dialect, &**record);
  if (!loaded) return ReportError(loaded.error()), kUsage;
  const fuzz::ProtocolOracleOptions options = OracleOptionsOf(**record, loaded->seeds.get());
  fuzz::Explainer explainer(&loaded->seeds->seeds, options, (*record)->probes_sync);
  ExplainedSession session(&explainer);
  session.output.Write("finding: " + wire::Escaped((*record)->text) + "\n");
  const auto ending = ReadTrace(trace, /*follow=*/false, &session);
  if (!ending) return ReportError(ending.error()), kUsage;
  session.output.Write(explainer.End());
  const int written = session.output.Finish();
  if (written != kFine || !loaded->missing) return written;
  return ReportError(*loaded->missing), kDataLost;
}

}  // namespace midwire::tools
