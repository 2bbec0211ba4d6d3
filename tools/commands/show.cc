// midwire show: prints a trace as a timeline.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tools/command.h"
#include "tools/output.h"
#include "tools/raw.h"
#include "tools/read_trace.h"
#include "tools/terminal.h"
#include "tools/viewer.h"
#include "trace/filter.h"
#include "view/text/printer.h"

namespace midwire::tools {
namespace {

constexpr char kFooter[] =
    R"(Columns: number, seconds, -> to the plugin or <- from it, kind, method, id, bytes, latency.
Filter fields: number at dir kind method id size latency code error text; = != < <= > >= ~ (contains);
and, or, not, ( ). id=7 is the number, id="7" the string. Quote the filter for the shell.

Examples:
  midwire show                                   the newest tape
  midwire show session.pcapng 'method=tools/* latency>50ms'
  midwire show session.pcapng 'kind=error or text~"needle"' --body
  midwire show session.pcapng --json | jq .method
  midwire show session.pcapng --raw --direction p2h > bytes)";

struct Options {
  std::string trace, where, color = "auto", direction;
  std::vector<std::string> words;
  bool body = false, raw = false, json = false, follow = false, stderr_lines = false;
};

int Usage(const Error& error) {
  ReportError(error);
  return kUsage;
}

// In `midwire show kind=error` no trace is named: the first word belongs to the filter.
void TakeTraceForFilter(Options* options) {
  const bool filter_like = options->trace.find_first_of("=<>~") != std::string::npos;
  if (!filter_like || access(options->trace.c_str(), F_OK) == 0) return;
  options->words.insert(options->words.begin(), options->trace);
  options->trace.clear();
}

std::string Expression(const Options& options) {
  std::string expression = options.where;
  for (const std::string& word : options.words) {
    if (!expression.empty()) expression += ' ';
    expression += word;
  }
  return expression;
}

int ShowTimeline(const Options& options, trace::Filter* filter) {
  Output output;
  view::PrintOptions print{StyleOf(1, options.color), options.body, [&output] { output.Settle(); }};
  const std::unique_ptr<view::Printer> printer = options.json
                                                     ? view::MakeJsonPrinter(print, output.text())
                                                     : view::MakeTextPrinter(print, output.text());
  Viewer viewer({options.body, options.stderr_lines, filter}, printer.get(), &output);
  const Result<ReadOutcome> ending = ReadTrace(options.trace, options.follow, &viewer);
  if (!ending) return Usage(ending.error());
  viewer.Finish();
  const int written = output.Finish();
  const int read = ReportOutcome(*ending);
  return written != kFine ? written : read;
}

int Show(Options options) {
  TakeTraceForFilter(&options);
  if (options.raw && options.direction.empty()) {
    return Usage(
        {"--raw needs --direction", "no stream is named", "add --direction h2p, p2h or stderr"});
  }
  if (!options.raw && !options.direction.empty()) {
    return Usage({"--direction needs --raw", "", "to show one direction, use the filter dir=h2p"});
  }
  const std::string expression = Expression(options);
  if (options.raw && !expression.empty()) {
    return Usage(
        {"--raw takes no filter: it writes a whole stream", expression, "remove the filter"});
  }
  Result<trace::Filter> filter = trace::Filter::Compile(expression);
  if (!filter) return Usage(filter.error());
  if (options.trace.empty()) {
    Result<std::string> newest = NewestTrace();
    if (!newest) return Usage(newest.error());
    options.trace = *newest;
  }
  if (options.raw) return WriteRaw(options.trace, options.direction, options.follow);
  return ShowTimeline(options, expression.empty() ? nullptr : &*filter);
}

}  // namespace

std::function<int()> DeclareShow(CLI::App* app) {
  auto options = std::make_shared<Options>();
  app->add_option("TRACE", options->trace,
                  "tape or cassette, - for standard input (default: the newest tape)");
  app->add_option("FILTER", options->words, "the filter, as for --where");
  app->add_option("--where", options->where, "show only lines that match this filter")
      ->type_name("FILTER");
  app->add_flag("--body", options->body, "print bodies too; JSON is indented");
  app->add_flag("--json", options->json, "print one JSON object per line (doc/show-json.md)");
  app->add_flag("--stderr", options->stderr_lines, "also show the plugin's stderr");
  app->add_flag("-f,--follow", options->follow,
                "keep reading while the tape grows, until its end or Ctrl-C");
  app->add_flag("--raw", options->raw,
                "write the exact bytes of one stream, without escaping for a terminal");
  app->add_option("--direction", options->direction, "the stream that --raw writes")
      ->check(CLI::IsMember({"h2p", "p2h", "stderr"}));
  app->add_option("--color", options->color,
                  "use colors; auto: if the output is a terminal and NO_COLOR is not set")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app->footer(kFooter);
  return [options] { return Show(*options); };
}

}  // namespace midwire::tools
