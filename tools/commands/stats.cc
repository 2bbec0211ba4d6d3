// midwire stats: prints counts, sizes and latencies of a trace.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/read_trace.h"
#include "tools/sample.h"
#include "tools/showing/tally_listener.h"
#include "tools/terminal.h"
#include "view/text/stats_report.h"

namespace midwire::tools {
namespace {

constexpr char kStatsFooter[] =
    R"(Latency is the time from a request's last byte to its answer's last byte. Percentiles are nearest-rank.

Examples:
  midwire stats                    the newest tape
  midwire stats monday.pcapng tuesday.pcapng
  midwire stats session.pcapng --json | jq '.methods[] | select(.errors > 0)')";

struct StatsOptions {
  std::vector<std::string> traces;
  std::string dialect, color = "auto";
  bool json = false, no_pager = false, sample = false;
};

int StatsOf(const StatsOptions& options, const std::string& trace, bool several, Output* output) {
  const Result<ChosenDialect> chosen = ChooseDialect(options.dialect, {trace}, false, Logs::kTake);
  if (!chosen) return Fail(chosen.error());
  TallyListener listener(chosen->dialect.get());
  const Result<ReadOutcome> ending = ReadTraceOrLog(trace, /*follow=*/false, &listener);
  if (!ending) return Fail(ending.error());
  trace::Tally tally = listener.Finish(*ending);
  tally.head = chosen->head;
  if (several) tally.trace = trace;
  if (options.json) {
    view::AppendStatsJson(tally, output->text());
  } else {
    if (several && output->wrote()) *output->text() += '\n';
    view::AppendStatsText(tally, StyleOf(1, options.color), output->text());
  }
  output->Settle();
  return ReportOutcome(*ending, several ? trace : "");
}

int Stats(StatsOptions options) {
  if (Status found = FindTraces(options.sample, &options.traces); !found) {
    return Fail(found.error());
  }
  Output output;
  output.Page(!options.no_pager);
  int code = kFine;
  for (const std::string& trace : options.traces) {
    const int now = StatsOf(options, trace, options.traces.size() > 1, &output);
    if (code != kUsage && now != kFine) code = now;
  }
  const int written = output.Finish();
  return code == kFine ? written : code;
}

}  // namespace

std::function<int()> DeclareStats(ArgumentParser parser) {
  auto options = std::make_shared<StatsOptions>();
  parser.AddOption("TRACE", &options->traces,
                   "tapes, cassettes or logs (doc/import.md), - for a trace on standard input "
                   "(default: the newest tape)");
  parser.AddOption("--dialect", &options->dialect,
                   "the protocol, for labels and failures: a built-in dialect, a file, or none "
                   "(default: the one that the first messages show)");
  parser.AddFlag("--sample", &options->sample, "read the sample session that comes with midwire");
  parser.AddFlag("--json", &options->json, "print one JSON object per trace (doc/show-json.md)");
  parser
      .AddOption("--color", &options->color,
                 "use colors; auto: if the output is a terminal and NO_COLOR is not set")
      .OneOf({"auto", "always", "never"});
  AddNoPager(parser, &options->no_pager);
  parser.Footer(kStatsFooter);
  return [options] { return Stats(*options); };
}

}  // namespace midwire::tools
