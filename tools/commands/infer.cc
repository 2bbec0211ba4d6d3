// midwire infer: drafts the dialect of an unknown protocol from traces.
#include "check/infer/infer.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/files/file_sink.h"
#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/output_files.h"
#include "tools/read_trace.h"
#include "trace/source.h"
#include "wire/json/utf8.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

constexpr char kInferFooter[] =
    R"(The draft describes what these sessions have in common. midwire check passes them and reports where another
session deviates. More and more varied sessions give a better draft: what every given session does becomes
a rule. Calls that were refused (errors -32601 and -32602) are mistakes: the draft leaves them out, and check
reports them. The draft contains recorded values (enums, error names), so read it before you share it.
doc/dialects.md explains each part.

Exit status: 0 drafted, 2 no such trace, no messages in it, or the output exists, 3 a trace is damaged and
the draft is from its readable part, or the draft cannot be written.

Examples:
  midwire infer session.pcapng
  midwire infer monday.pcapng tuesday.pcapng -o my-protocol.json
  midwire check wednesday.pcapng --dialect my-protocol.json)";

struct InferArguments {
  std::vector<std::string> traces;
  std::string output = "-", name;
  bool closed = false;
};

// Passes the records of all traces to one inference.
class InferListener : public TraceListener {
 public:
  void StartTrace(const std::string& path) { session_.Expect(ExpectedFraming(path)); }
  void OnRecord(const trace::Record& record) override { session_.OnRecord(record); }
  void OnSection() override { session_.OnSection(); }
  void OnDamage(const trace::Damage&) override {
    inference_.OnGap();
    session_.OnGap();
  }
  void Finish() {
    session_.OnEnd();
    inference_.Finish();
  }
  const check::Inference& inference() const { return inference_; }

 private:
  check::Inference inference_;
  trace::Session session_{inference_.handler()};
};

std::string NameOf(const InferArguments& arguments) {
  if (!arguments.name.empty()) return arguments.name;
  const std::string stem = std::filesystem::path(arguments.output).stem().string();
  return arguments.output == "-" || stem.empty() || !wire::IsUtf8(stem) ? "inferred" : stem;
}

// Reads all traces before it creates the output, so that a missing trace leaves no file behind.
int Infer(const InferArguments& arguments) {
  if (Status can = CanCreateOutput(arguments.output); !can) return Fail(can.error());
  InferListener listener;
  int code = kFine;
  for (const std::string& path : arguments.traces) {
    if (&path != &arguments.traces.front()) listener.OnSection();
    listener.StartTrace(path);
    const Result<ReadOutcome> ending = ReadTraceOrLog(path, /*follow=*/false, &listener);
    if (!ending) return Fail(ending.error());
    code = std::max(code, ReportOutcome(*ending));
  }
  listener.Finish();
  const check::Inference& inference = listener.inference();
  if (inference.messages() == 0) {
    return Fail(
        {"no messages in the trace", arguments.traces.front(), "look at it with midwire show"});
  }
  const std::string draft =
      inference.Draft({.name = NameOf(arguments), .closed = arguments.closed});
  if (arguments.output == "-") {
    Output output;
    output.Write(draft);
    return std::max(output.Finish(), code);
  }
  const auto sink = io::FileSink::Create(arguments.output);
  if (!sink) return Fail(sink.error());
  Status written = (*sink)->Write(draft);
  if (written) written = (*sink)->Close();
  if (written) return code;
  return Fail(written.error(), kDataLost);
}

}  // namespace

std::function<int()> DeclareInfer(ArgumentParser parser) {
  auto arguments = std::make_shared<InferArguments>();
  parser
      .AddOption("TRACE", &arguments->traces,
                 "tapes, cassettes or logs (doc/import.md) of one protocol, - for a trace on "
                 "standard input")
      .Required();
  parser.AddOption(
      "-o,--output", &arguments->output,
      "file to write, - for standard output (default); an existing file is never overwritten");
  parser.AddOption("--name", &arguments->name,
                   "name of the dialect (default: from the output's name, else inferred)");
  parser.AddFlag("--closed", &arguments->closed,
                 "refuse members that were not recorded; many protocols allow more");
  parser.Footer(kInferFooter);
  return [arguments] { return Infer(*arguments); };
}

}  // namespace midwire::tools
