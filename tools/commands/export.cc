// midwire export: writes a trace in the format of another program.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "io/files/write_file.h"
#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/output_files.h"
#include "tools/read_ahead.h"
#include "tools/read_trace.h"
#include "tools/reporting/export_rows.h"
#include "tools/reporting/trace_rows.h"
#include "trace/filter.h"
#include "view/export/export_trace.h"

namespace midwire::tools {
namespace {

constexpr char kExportFooter[] =
    R"(Formats:
  perfetto  JSON trace events for https://ui.perfetto.dev: a bar for each call, flows to reverse calls
  otlp      OpenTelemetry's OTLP in JSON: a span for each call, with traceparent where messages have it
  mermaid   a sequence diagram of at most 500 messages
  markdown  a summary for an issue: sessions, calls, failures, calls without an answer

Names of methods, labels and reasons of failures are exported, bodies are not. To export a shared trace,
redact it first.

Exit status: 0 written, 2 no such trace, bad option, or FILE exists; 3 written, but the trace is damaged, or
FILE cannot be written.

Examples:
  midwire export --to perfetto session.pcapng -o session.json
  midwire export --to markdown session.pcapng --where 'method=tools/*'
  midwire export --to otlp session.pcapng | curl --data-binary @- -H 'Content-Type: application/json' URL)";

struct ExportArguments {
  std::string trace, to, output = "-", dialect, where;
};

struct Format {
  const char* name;
  std::string (*text)(const view::ExportTrace& trace);
};
constexpr Format kFormats[] = {{"perfetto", view::PerfettoJson},
                               {"otlp", view::OtlpJson},
                               {"mermaid", view::MermaidText},
                               {"markdown", view::MarkdownText}};

int Export(ExportArguments arguments) {
  if (arguments.trace.empty()) {
    Result<std::string> newest = NewestTrace();
    if (!newest) return Fail(newest.error());
    arguments.trace = *newest;
  }
  if (Status can = CanCreateOutput(arguments.output); !can) return Fail(can.error());
  Result<trace::Filter> filter = trace::Filter::Compile(arguments.where);
  if (!filter) return Fail(filter.error());
  const bool selects = !arguments.where.empty();
  if (selects && ReadsOnce(arguments.trace)) {
    return Fail({"not a regular file", arguments.trace,
                 "save the trace to a file first: with --where, it is read twice"});
  }
  const Result<ChosenDialect> chosen =
      ChooseDialect(arguments.dialect, {arguments.trace}, /*strict=*/false, Logs::kTake);
  if (!chosen) return Fail(chosen.error());
  ReportDetected(*chosen);
  const wire::Dialect* const dialect = chosen->dialect.get();
  const std::string name = arguments.trace.substr(arguments.trace.rfind('/') + 1);
  Selection selection(&*filter, /*last=*/0);
  if (selects) {
    if (Status selected = SelectRows(arguments.trace, dialect, &selection); !selected)
      return Fail(selected.error());
  }
  view::ExportTrace trace{.version = MIDWIRE_VERSION, .sessions = {}, .rows = {}};
  ExportRows exported(selects ? &selection : nullptr, &trace);
  TraceRows rows(name, dialect, 0, &exported);
  const Result<ReadOutcome> read = ReadTraceOrLog(arguments.trace, /*follow=*/false, &rows);
  if (!read) return Fail(read.error());
  rows.Finish();
  if (exported.too_large()) {
    return Fail({"the trace has more than 1,000,000 messages", name,
                 "choose from it with --where, such as 'method=tools/*'"});
  }
  for (view::PageSession& session : *rows.sessions()) {
    session.dialect = chosen->head.dialect;
    session.revision = chosen->head.revision;
  }
  exported.Finish(std::move(*rows.sessions()));
  const int damage = ReportOutcome(*read);
  const bool timed = arguments.to == "perfetto" || arguments.to == "otlp";
  if (timed && exported.spaced_out())
    ReportNote(name + " has no times: its messages are 1 ms apart, in their order");
  for (const Format& format : kFormats) {
    if (arguments.to != format.name) continue;
    const std::string text = format.text(trace);
    if (arguments.output == "-") {
      Output output;
      output.Write(text);
      return std::max(output.Finish(), damage);
    }
    if (Status written = io::WriteNewFile(arguments.output, text); !written)
      return Fail(written.error(), kDataLost);
  }
  return damage;
}

}  // namespace

std::function<int()> DeclareExport(ArgumentParser parser) {
  auto arguments = std::make_shared<ExportArguments>();
  parser.AddOption("TRACE", &arguments->trace,
                   "tape, cassette or log (doc/import.md), - for a trace on standard input "
                   "(default: the newest tape)");
  parser.AddOption("--to", &arguments->to, "the format to write")
      .Required()
      .OneOf({"perfetto", "otlp", "mermaid", "markdown"});
  parser.AddOption("-o,--output", &arguments->output,
                   "file to write, - for standard output (default); an existing file is never "
                   "overwritten");
  parser
      .AddOption("--where", &arguments->where,
                 "only what matches this filter, with both ends of each call")
      .TypeName("FILTER");
  parser.AddOption("--dialect", &arguments->dialect,
                   "a built-in dialect, a file, or none; default: detected from "
                   "the first messages");
  parser.Footer(kExportFooter);
  return [arguments] { return Export(*arguments); };
}

}  // namespace midwire::tools
