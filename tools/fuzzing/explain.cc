#include "tools/fuzzing/explain.h"

#include <string>
#include <string_view>
#include <variant>

#include "fuzz/oracle/ending.h"
#include "fuzz/oracle/explain.h"
#include "tools/console/diagnostics.h"
#include "tools/fuzzing/replay_finding.h"
#include "tools/output.h"
#include "tools/read_trace.h"
#include "trace/event.h"
#include "wire/json/escape.h"
#include "wire/json/parts.h"

namespace midwire::tools {
namespace {

// Of stderr: a stack or the start of a report.
constexpr size_t kMostStderr = 2000;

// Passes the messages of the first session to the explainer, and keeps what the process did.
class ExplainedSession : public TraceListener {
 public:
  explicit ExplainedSession(fuzz::Explainer* explainer) : explainer_(explainer) {}
  void OnRecord(const trace::Record& record) override {
    for (const auto direction : {wire::Direction::kHostToPlugin, wire::Direction::kPluginToHost}) {
      if (record.stream != trace::StreamOf(direction)) continue;
      explainer_->On(direction, std::string(record.head).append(record.body));
      any_ = true;
    }
    if (record.stream == trace::Stream::kStderr && err_.size() <= kMostStderr) err_ += record.body;
    if (record.stream == trace::Stream::kEvents) {
      const auto event = trace::ParseEvent(record.body);
      const auto* const exit = event ? std::get_if<ExitStatus>(&*event) : nullptr;
      if (exit != nullptr) exit_ = *exit;
    }
  }
  void OnSection() override { over_ = any_; }
  bool stop() const override { return over_; }
  // What shows a finding that is not about one message.
  std::string Process() const {
    std::string text;
    if (exit_.ended()) text += "the process ended: " + fuzz::EndingText(exit_) + "\n";
    if (err_.empty()) return text + "it wrote nothing to stderr\n";
    text += "it wrote to stderr:\n    ";
    wire::AppendEscapedLines(wire::Trimmed(std::string_view(err_).substr(0, kMostStderr)), "    ",
                             &text);
    return text + (err_.size() > kMostStderr ? "\n    ...\n" : "\n");
  }
  Output output;

 private:
  fuzz::Explainer* explainer_;
  std::string err_;
  ExitStatus exit_;
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
  fuzz::Explainer explainer(&loaded->seeds->seeds, options, (*record)->probes_sync,
                            {(*record)->oracle, (*record)->key});
  ExplainedSession session(&explainer);
  session.output.Write("finding: " + wire::Escaped((*record)->text) + "\n");
  const auto ending = ReadTrace(trace, /*follow=*/false, &session);
  if (!ending) return ReportError(ending.error()), kUsage;
  explainer.End();
  session.output.Write(explainer.text());
  if (!explainer.any()) {
    const auto& spec = fuzz::Oracles()[static_cast<size_t>((*record)->oracle)];
    session.output.Write("no single message shows the finding, which is of the oracle " +
                         std::string(spec.name) + ": " + spec.text + "\n" + session.Process());
  }
  const int written = session.output.Finish();
  if (written != kFine || !loaded->missing) return written;
  return ReportError(*loaded->missing), kDataLost;
}

}  // namespace midwire::tools
