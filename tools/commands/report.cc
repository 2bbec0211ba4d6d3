// midwire report: writes one HTML page that shows traces in a browser.
#include "tools/reporting/report.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "io/files/write_file.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/output_files.h"
#include "tools/read_trace.h"
#include "wire/quantity.h"

namespace midwire::tools {
namespace {

constexpr char kReportFooter[] =
    R"(The page opens by double click in a browser of 2023 or later. It is one file that needs no network and
asks for none. It contains everything that was recorded, secrets too: --redact replaces them. The recording
can be saved out of the page, so the receiver can replay it.

Exit status: 0 written, 2 no such trace, bad option, or FILE exists without --force; 3 written, but a trace is
damaged (the page says where), or FILE cannot be written.

Examples:
  midwire report session.pcapng -o report.html
  midwire report session.pcapng -o report.html --check --redact
  midwire report session.pcapng -o report.html --replay run.json   # that midwire replay --json wrote
  midwire report before.pcapng --compare after.pcapng -o report.html
  midwire report large.pcapng -o report.html --where 'method=tools/*' --last 10000 --max-body 4k)";

struct PageArguments {
  ReportOptions report;
  std::string output, last, max_body;
  bool force = false;
};

Status ParseLimits(PageArguments* arguments) {
  const auto parse = [](const char* option, const std::string& text, auto convert, uint64_t* to,
                        const char* what, const char* remedy) -> Status {
    if (text.empty()) return Ok{};
    const std::optional<int64_t> value = convert(text);
    if (!value || *value <= 0) {
      return WrongValue(option, text, what, remedy);
    }
    *to = static_cast<uint64_t>(*value);
    return Ok{};
  };
  if (Status last = parse("--last", arguments->last, wire::ParseCount, &arguments->report.last,
                          "not a number above 0", "try 10000");
      !last) {
    return last;
  }
  return parse("--max-body", arguments->max_body, wire::ParseSize, &arguments->report.max_body,
               "not a size above 0", "try 4k, 1M");
}

// An older report may be replaced with --force, a trace never.
Status CanWritePage(const PageArguments& arguments) {
  if (arguments.output == "-") return Ok{};
  std::vector<std::string> read = arguments.report.traces;
  read.push_back(arguments.report.other);
  read.push_back(arguments.report.dialect);
  read.push_back(arguments.report.replay);
  if (Status can = CanOverwrite({{"-o", arguments.output}}, read); !can) return can;
  return CanCreateOutput(arguments.output,
                         arguments.force ? OldOutput::kReplaced : OldOutput::kNeedsForce);
}

int WritePage(const PageArguments& arguments, const MadeReport& report) {
  if (arguments.output == "-") {
    Output output;
    output.Write(report.page);
    return std::max(output.Finish(), report.code);
  }
  if (!arguments.force) {
    if (Status written = io::WriteNewFile(arguments.output, report.page); !written)
      return Fail(written.error(), kDataLost);
  } else if (!io::WriteFile(arguments.output, report.page, 0600)) {
    return Fail({"cannot write the report", arguments.output, strerror(errno)}, kDataLost);
  }
  return report.code;
}

int ReportTraces(PageArguments arguments) {
  if (Status parsed = ParseLimits(&arguments); !parsed) return Fail(parsed.error());
  if (arguments.report.traces.empty()) {
    Result<std::string> newest = NewestTrace();
    if (!newest) return Fail(newest.error());
    arguments.report.traces.push_back(*newest);
  }
  if (!arguments.report.other.empty() && arguments.report.traces.size() != 1) {
    return Fail({"--compare: takes one other trace", "more than one TRACE is named",
                 "midwire report A --compare B -o report.html"});
  }
  if (arguments.report.redact && !arguments.report.replay.empty()) {
    return Fail({"--replay: its report is not redacted", arguments.report.replay,
                 "redact the trace first: midwire redact TRACE OUT, then replay OUT --json"});
  }
  if (Status can = CanWritePage(arguments); !can) return Fail(can.error());
  const Result<MadeReport> report = MakeReport(arguments.report);
  if (!report) return Fail(report.error());
  return WritePage(arguments, *report);
}

}  // namespace

std::function<int()> DeclareReport(ArgumentParser parser) {
  auto arguments = std::make_shared<PageArguments>();
  ReportOptions& report = arguments->report;
  parser.AddOption("TRACE", &report.traces,
                   "tapes, cassettes or logs (doc/import.md), - for a trace on standard input "
                   "(default: the newest tape)");
  parser
      .AddOption("-o,--output", &arguments->output,
                 "the HTML file to write, - for standard output; an existing file is an error")
      .Required();
  parser.AddFlag("--force", &arguments->force, "replace an existing file, but never a trace");
  parser.AddFlag("--check", &report.check, "add what midwire check finds");
  parser
      .AddOption("--replay", &report.replay,
                 "add the differences that midwire replay --json wrote to this file")
      .TypeName("FILE");
  parser.AddOption("--compare", &report.other, "add another trace, and what differs in it")
      .TypeName("TRACE");
  parser.AddOption(
      "--dialect", &report.dialect,
      "a built-in dialect, a file, or none; default: detected from the first messages");
  parser.AddFlag("--redact", &report.redact,
                 "replace secrets, as midwire redact does without options");
  parser
      .AddOption("--where", &report.where,
                 "only what matches this filter, with both ends of each call")
      .TypeName("FILTER");
  parser.AddOption("--last", &arguments->last, "only the last N messages of each trace")
      .TypeName("N");
  parser.AddOption("--max-body", &arguments->max_body, "cut longer bodies, such as 4k")
      .TypeName("SIZE");
  parser.Footer(kReportFooter);
  return [arguments] { return ReportTraces(*arguments); };
}

}  // namespace midwire::tools
