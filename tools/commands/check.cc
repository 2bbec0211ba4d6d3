// midwire check: checks a trace, or a session that it records, against a dialect.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "check/generic/names.h"
#include "io/clock.h"
#include "io/files/write_file.h"
#include "io/signals.h"
#include "proxy/record.h"
#include "tools/check_listener.h"
#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/load_dialect.h"
#include "tools/output.h"
#include "tools/output_files.h"
#include "tools/read_trace.h"
#include "tools/reporting/temporary_folder.h"
#include "tools/sample.h"
#include "tools/terminal.h"
#include "view/text/check_report.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

constexpr char kCheckFooter[] =
    R"(Exit status: 0 no must is violated (a should or a note does not fail), 1 a must is violated, 2 usage error
or the dialect is wrong, 3 the trace is damaged, and its readable part has no violation of a must. With
--fail-on should, a should fails as a must does; with --fail-on note, a note too.

With a plugin (midwire check [options] -- PLUGIN ARGS...) it records the session as midwire record does
and checks it when the plugin has exited. The report goes to stderr, because stdout belongs to the host.
The exit status is the plugin's. If that is 0: 1 if a must is violated, and 3 if the session could not be
recorded and checked completely or a report could not be written.

Examples:
  midwire check session.pcapng --dialect mcp
  midwire check tapes/*.pcapng --sarif report.sarif
  midwire check session.jsonl --dialect my-protocol.json --strict --junit report.xml
  midwire check --dialect lsp -o session.pcapng -- clangd --log=error)";

struct CheckArguments {
  std::vector<std::string> traces;
  std::string shown_only;
  std::string dialect, output, sarif, junit, color = "auto", fail_on = "must";
  bool strict = false, json = false, notes = false, list = false, no_pager = false, sample = false;
};

// The dialect, named or detected, and the violations of it.
class Check {
 public:
  explicit Check(const CheckArguments& arguments) : arguments_(arguments) {}

  // Done first, so that an error in a dialect file does not cost a session.
  Status Prepare() {
    listener_ = std::make_unique<CheckListener>(
        [this](const std::string& name) { return LoadNamedDialect(name, arguments_.strict); });
    if (arguments_.dialect.empty()) return Ok{};
    const std::string name = arguments_.dialect == "none" ? "json-rpc-2.0" : arguments_.dialect;
    Result<wire::Dialect> dialect = LoadNamedDialect(name, arguments_.strict);
    if (!dialect) return dialect.error();
    listener_->Use(std::move(*dialect));
    if (listener_->failed()) return *listener_->error();
    return Ok{};
  }

  // several: the reports name the dialects, so that a note for each trace would be noise.
  Status Run(const std::string& path, bool several) {
    const Result<ReadOutcome> ending = ReadTraceOrLog(path, /*follow=*/false, listener_.get());
    if (!ending) return ending.error();
    ending_ = *ending;
    listener_->Finish();
    if (listener_->failed()) return *listener_->error();
    if (arguments_.dialect.empty() && !several) {
      ReportNote(DetectedText(listener_->detection(), listener_->revisions()) +
                 "; use --dialect to name another");
    }
    return Ok{};
  }

  // name: the trace's name as the user gave it. incomplete: the recording ended before the session.
  // heading: the report begins with the name, behind an empty line if another one is before it.
  void Report(const std::string& name, bool incomplete, bool heading, const view::Style& style,
              Output* output) {
    // No violation, but no proof either: the recording may have failed.
    if (listener_->messages() == 0) ReportWarning("no messages in " + name);
    checked_.violations = std::move(*listener_->violations());
    checked_.context = {.trace = name,
                        .dialect = listener_->dialect()->name,
                        .revision = listener_->revisions(),
                        .sureness = std::string(listener_->detection().SurenessText()),
                        .strict = arguments_.strict,
                        .incomplete = incomplete,
                        .error = ending_.failure,
                        .messages = listener_->messages(),
                        .sessions = listener_->sessions(),
                        .rules = check::RulesOf(*listener_->dialect()),
                        .seconds = Seconds()};
    const auto& [violations, context] = checked_;
    if (arguments_.json) {
      view::AppendCheckJson(violations, context, output->text());
    } else {
      if (heading && output->wrote()) *output->text() += '\n';
      if (heading) *output->text() += wire::Escaped(name) + ":\n";
      view::AppendCheckText(violations, context, arguments_.notes, style, output->text());
    }
    output->Flush();
  }

  // After Report: whether a clause is violated that is at least as severe as --fail-on.
  bool broken() const {
    const auto least = wire::ParseSeverity(arguments_.fail_on).value_or(wire::Severity::kMust);
    uint64_t count = 0;
    for (const auto severity :
         {wire::Severity::kNote, wire::Severity::kShould, wire::Severity::kMust}) {
      if (severity >= least) count += checked_.violations.count(severity);
    }
    return count > 0;
  }
  const ReadOutcome& ending() const { return ending_; }
  // In place of Report, of a trace that Run could not read.
  void NoteUnreadable(const std::string& name, const Error& error) {
    checked_.context = {
        .trace = name, .strict = arguments_.strict, .error = error.Text(), .seconds = Seconds()};
  }
  view::CheckedTrace* checked() { return &checked_; }

 private:
  double Seconds() const { return static_cast<double>(io::MonotonicNow() - start_ns_) / 1e9; }

  const CheckArguments& arguments_;
  std::unique_ptr<CheckListener> listener_;
  ReadOutcome ending_;
  view::CheckedTrace checked_;
  const int64_t start_ns_ = io::MonotonicNow();
};

// `recordings`: the traces, or the tape that is written.
Status CanReport(const CheckArguments& arguments, std::vector<std::string> recordings) {
  recordings.push_back(arguments.dialect);
  return CanOverwrite({{"--sarif", arguments.sarif}, {"--junit", arguments.junit}}, recordings);
}

// The reports for programs, of all traces. Returns kFine, or kDataLost.
int WriteReports(const CheckArguments& arguments, const std::vector<view::CheckedTrace>& traces) {
  int code = kFine;
  const auto write = [&](const std::string& path, const char* what, auto append) {
    if (path.empty() || traces.empty()) return;
    std::string text;
    append(traces, &text);
    if (io::WriteFile(path, text)) return;
    ReportError({std::string("cannot write the ") + what + " report", path, strerror(errno)});
    code = kDataLost;
  };
  write(arguments.sarif, "SARIF", view::AppendCheckSarif);
  write(arguments.junit, "JUnit", view::AppendCheckJunit);
  return code;
}

// Adds what was found to `checked`, if there are reports for programs.
int CheckTrace(const CheckArguments& arguments, const std::string& trace, bool several,
               Output* output, std::vector<view::CheckedTrace>* checked) {
  Check check(arguments);
  if (const Status prepared = check.Prepare(); !prepared) return Fail(prepared.error());
  const bool reports = !(arguments.sarif + arguments.junit).empty();
  if (const Status ran = check.Run(trace, several); !ran) {
    check.NoteUnreadable(trace, ran.error());
    if (reports) checked->push_back(std::move(*check.checked()));
    return Fail(ran.error());
  }
  check.Report(trace, /*incomplete=*/false, several, StyleOf(STDOUT_FILENO, arguments.color),
               output);
  const int read = ReportOutcome(check.ending(), several ? trace : "");
  const int code = check.broken() ? kDifference : read;
  if (reports) checked->push_back(std::move(*check.checked()));
  return code;
}

// The exit code is the gravest of all: a trace that could not be read, then a report that could not
// be written, a violation, damage.
int CheckTraces(const CheckArguments& arguments) {
  std::vector<std::string> traces = arguments.traces;
  if (Status found = FindTraces(arguments.sample, &traces); !found) return Fail(found.error());
  const bool several = traces.size() > 1;
  if (const Status can = CanReport(arguments, traces); !can) return Fail(can.error());
  std::vector<view::CheckedTrace> checked;
  Output output;
  output.Page(!arguments.no_pager);
  int code = kFine;
  for (const std::string& trace : traces) {
    const int now = CheckTrace(arguments, trace, several, &output, &checked);
    const auto gravity = [](int of) { return of == kUsage ? 3 : of == kDifference ? 2 : of != 0; };
    if (gravity(now) > gravity(code)) code = now;
  }
  const int reported = WriteReports(arguments, checked);
  const int written = output.Finish();
  ReportNextSessions(traces);
  if (written != kFine) return written;
  return reported != kFine && code != kUsage ? reported : code;
}

// An error of midwire never changes how the plugin's session ends, but a session of status 0 that
// was not checked completely must not pass.
int CheckLive(const CheckArguments& arguments) {
  Check check(arguments);
  if (const Status prepared = check.Prepare(); !prepared) return Fail(prepared.error());
  if (const Status can = CanReport(arguments, {arguments.output}); !can) return Fail(can.error());
  TemporaryFolder folder;
  proxy::RecordOptions options = {.argv = PluginCommand(), .version = MIDWIRE_VERSION};
  options.output = arguments.output;
  if (options.output.empty()) {
    if (folder.path().empty()) {
      return Fail(
          {"no place for a tape", "cannot create a temporary folder", "name a tape with -o"});
    }
    options.output = folder.path() + "/session.pcapng";
  }
  const proxy::RecordOutcome outcome = proxy::Record(options);
  if (!outcome.cannot_start.empty())
    return Fail({outcome.cannot_start, "", ""}, outcome.status.code);
  io::IgnoreSignals({SIGXFSZ});  // a limit of files' sizes is reported as a full disk is
  int written = kFine;
  bool whole = false, broken = false;
  if (outcome.tape.empty()) {
    ReportError({"the session was not recorded, so there is nothing to check", "",
                 "name a tape that can be written with -o"});
  } else if (const Status ran = check.Run(outcome.tape, /*several=*/false); !ran) {
    ReportError(ran.error());
  } else {
    Output output(STDERR_FILENO);
    check.Report(arguments.output.empty() ? PluginCommand()[0] : outcome.tape, outcome.incomplete,
                 /*heading=*/false, StyleOf(STDERR_FILENO, arguments.color), &output);
    broken = check.broken();
    std::vector<view::CheckedTrace> checked;
    checked.push_back(std::move(*check.checked()));
    written = WriteReports(arguments, checked);
    if (const int printed = output.Finish(); written == kFine) written = printed;
    whole = ReportOutcome(check.ending()) == kFine && !outcome.incomplete;
  }
  folder.Remove();
  if (outcome.status.signal != 0) io::DieBy(outcome.status.signal);
  if (outcome.status.code != 0) return outcome.status.code;
  if (written != kFine) return written;
  if (broken) return kDifference;
  return whole ? kFine : kDataLost;
}

int CheckTraceOrPlugin(const CheckArguments& arguments) {
  if (arguments.list) return ListDialects();
  if (PluginAsked()) {
    if (arguments.sample) return Fail({"--sample: is a trace", "", "leave out the plugin"});
    if (!arguments.traces.empty()) {
      return Fail({"either a trace or a plugin, not both", arguments.traces[0],
                   "midwire check TRACE, or midwire check [options] -- PLUGIN ARGS..."});
    }
    if (!PluginCommand().empty() && !PluginCommand()[0].empty()) return CheckLive(arguments);
    return Fail({"no plugin after \"--\"", "", "midwire check [options] -- PLUGIN ARGS..."});
  }
  if (!arguments.output.empty()) {
    return Fail({"-o needs a plugin: it names the tape to record", arguments.output,
                 "write reports with --json, --sarif or --junit"});
  }
  return CheckTraces(arguments);
}

}  // namespace

std::function<int()> DeclareCheck(ArgumentParser parser) {
  auto arguments = std::make_shared<CheckArguments>();
  parser.AddOption(
      "TRACE", &arguments->traces,
      "tapes, cassettes or logs (doc/import.md), - for standard input (default: the newest "
      "tape)");
  // Declared for the help text only: main removes the plugin's command before the rest is parsed.
  parser
      .AddOption("PLUGIN", &arguments->shown_only,
                 "after --, in place of traces: the command of a plugin whose session is recorded "
                 "and checked")
      .TypeName("[-- PLUGIN [ARGS...]]");
  parser.AddOption(
      "--dialect", &arguments->dialect,
      "a built-in dialect, a file (doc/dialects.md), or none, which checks against json-rpc-2.0 "
      "alone; default: detected from the first messages");
  parser.AddFlag(
      "--strict", &arguments->strict,
      "apply the protocol's text literally, also where its programs are known to differ");
  parser
      .AddOption("--fail-on", &arguments->fail_on,
                 "the least severity that sets the exit status to 1 (default: must)")
      .OneOf({"must", "should", "note"});
  parser.AddFlag("--notes", &arguments->notes, "show notes too: deviations that are tolerated");
  parser.AddFlag("--json", &arguments->json,
                 "print one JSON object per trace, notes included (doc/dialects.md)");
  parser.AddOption("--sarif", &arguments->sarif,
                   "also write a SARIF 2.1.0 report of all traces to this file");
  parser.AddOption("--junit", &arguments->junit,
                   "also write a JUnit XML report to this file, with a suite per trace");
  parser.AddOption("-o,--output", &arguments->output,
                   "with a plugin: the tape to write, as for midwire record");
  parser
      .AddOption("--color", &arguments->color,
                 "use colors; auto: if the output is a terminal and NO_COLOR is not set")
      .OneOf({"auto", "always", "never"});
  parser.AddFlag("--sample", &arguments->sample,
                 "check the sample session that comes with midwire");
  parser.AddFlag("--list", &arguments->list, "list the built-in dialects");
  AddNoPager(parser, &arguments->no_pager);
  parser.Footer(kCheckFooter);
  return [arguments] { return CheckTraceOrPlugin(*arguments); };
}

}  // namespace midwire::tools
