// midwire infer: drafts the dialect of an unknown protocol from traces.
#include "check/infer/infer.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tools/command.h"
#include "tools/output.h"
#include "tools/read_trace.h"
#include "trace/source.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

constexpr char kFooter[] =
    R"(The draft holds what these sessions have in common; midwire check passes them, and tells where another
session is otherwise. More and different sessions make a better draft: what one session always does is
taken for a rule. Words of what was said stand in it (enums, error names): look through it before it is
shown around. doc/dialects.md says what each part means.

Exit status: 0 drafted, 2 no such trace, no message in it, or the output exists, 3 a trace is damaged
and the draft is of what can be read, or it could not be written.

Examples:
  midwire infer session.pcapng
  midwire infer monday.pcapng tuesday.pcapng -o my-protocol.json
  midwire check wednesday.pcapng --dialect my-protocol.json)";

struct Arguments {
  std::vector<std::string> traces;
  std::string output = "-", name;
  bool closed = false;
};

// Records of all traces into one inference.
class InferListener : public TraceListener {
 public:
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

int Fail(const Error& error) {
  ReportError(error);
  return kUsage;
}

std::string NameOf(const Arguments& arguments) {
  if (!arguments.name.empty()) return arguments.name;
  const std::string stem = std::filesystem::path(arguments.output).stem().string();
  return arguments.output == "-" || stem.empty() || !wire::IsUtf8(stem) ? "inferred" : stem;
}

// Reads all before it makes the output: a trace that is missing leaves nothing behind.
int Infer(const Arguments& arguments) {
  InferListener listener;
  int code = kFine;
  for (const std::string& path : arguments.traces) {
    if (&path != &arguments.traces.front()) listener.OnSection();
    const Result<ReadOutcome> ending = ReadTrace(path, /*follow=*/false, &listener);
    if (!ending) return Fail(ending.error());
    code = std::max(code, ReportOutcome(*ending));
  }
  listener.Finish();
  const check::Inference& inference = listener.inference();
  if (inference.messages() == 0) {
    return Fail({"nothing to infer from: no message was understood", arguments.traces.front(),
                 "midwire show tells what is in it"});
  }
  const std::string draft =
      inference.Draft({.name = NameOf(arguments), .closed = arguments.closed});
  if (arguments.output == "-") {
    Output output;
    output.Write(draft);
    return std::max(output.Finish(), code);
  }
  const auto sink = trace::FileSink::Create(arguments.output);
  if (!sink) return Fail(sink.error());
  Status written = (*sink)->Write(draft);
  if (written) written = (*sink)->Close();
  if (written) return code;
  ReportError(written.error());
  return kDataLost;
}

}  // namespace

std::function<int()> DeclareInfer(CLI::App* app) {
  auto arguments = std::make_shared<Arguments>();
  app->add_option("TRACE", arguments->traces,
                  "tapes or cassettes of one protocol, - for standard input")
      ->required();
  app->add_option("-o,--output", arguments->output,
                  "file to write, - for standard output (the default); never overwritten");
  app->add_option("--name", arguments->name,
                  "the dialect's name (default: by the output's, else inferred)");
  app->add_flag("--closed", arguments->closed,
                "refuse members that were not seen, which protocols often allow");
  app->footer(kFooter);
  return [arguments] { return Infer(*arguments); };
}

}  // namespace midwire::tools
