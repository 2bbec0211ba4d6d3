// midwire show: prints a trace as a timeline.
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/clock.h"
#include "io/interrupt.h"
#include "io/local_time.h"
#include "io/signals.h"
#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/arguments.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/read_trace.h"
#include "tools/sample.h"
#include "tools/showing/instant.h"
#include "tools/showing/late_head.h"
#include "tools/showing/live_footer.h"
#include "tools/showing/raw.h"
#include "tools/showing/viewer.h"
#include "tools/showing/waiting_rows.h"
#include "tools/terminal.h"
#include "trace/filter.h"
#include "view/text/append.h"
#include "view/text/printer.h"

namespace midwire::tools {
namespace {

constexpr char kShowFooter[] =
    R"(Columns: number, seconds, -> to the plugin or <- from it, kind, method, label, id, bytes, latency.

A filter has terms FIELD OPERATOR VALUE, joined by and (or a blank), or, not and ( ). Quote it for the shell.
  number, code          with = != < <= > >=: number=12, code=-32601
  at, latency           the same, and a time with its unit (ns us ms s m h d): latency>50ms
  size                  the same, and a size with its unit (B k M G, kB MB GB): size>64k
  dir                   with = !=: h2p or ->, p2h or <-
  kind                  with = !=: request, response, error, notification, batch, invalid, junk, event,
                        stderr
  method, label, error  with = != ~ (contains): a text; * and ? match any
  id                    the same: id=7 is the number, id="7" the string
  text                  with ~: what a body has, text~"two words"
  failed                an error, or an answer that the dialect calls a failure
  unanswered, pending   a call without an answer that was not cancelled

Examples:
  midwire show                                   the newest tape
  midwire show --sample                          a session that comes with midwire
  midwire show session.pcapng 'method=tools/* latency>50ms'
  midwire show session.pcapng 'kind=error or text~"needle"' --body
  midwire show session.pcapng unanswered         calls that hang
  midwire show session.pcapng --pair 'latency>500ms'
  midwire show -f --restarts session.pcapng      a plugin that its host starts again and again
  midwire show session.pcapng --json | jq .method
  midwire show session.pcapng --raw --direction p2h > bytes)";

// More messages than anyone reads.
constexpr uint64_t kMostLast = 1'000'000;

struct ShowOptions {
  std::string trace, where, dialect, color = "auto", direction;
  std::vector<std::string> words;
  uint64_t last = 0;
  std::string since;
  bool no_pager = false, sample = false, pair = false, tree = false, utc = false, local = false;
  bool body = false, raw = false, json = false, follow = false, stderr_lines = false;
  bool restarts = false;
};

// In `midwire show kind=error` no trace is named: the first word belongs to the filter. So it does
// with --sample, whatever files there are.
void TakeTraceForFilter(ShowOptions* options) {
  const bool filter_like = options->trace.find_first_of("=<>~") != std::string::npos ||
                           options->trace.starts_with('(') || trace::IsFilterWord(options->trace);
  if (!filter_like) return;
  if (!options->sample && access(options->trace.c_str(), F_OK) == 0) return;
  options->words.insert(options->words.begin(), options->trace);
  options->trace.clear();
}

// The other words are the filter: not so the name of a second file, as of tapes/*.pcapng.
std::optional<Error> AnotherTrace(const ShowOptions& options) {
  for (const std::string& word : options.words) {
    if (access(word.c_str(), F_OK) != 0) continue;
    return Error{"show takes one trace, and what follows it is the filter", word,
                 "show each by itself; stats and check take several"};
  }
  return std::nullopt;
}

std::string Expression(const ShowOptions& options) {
  std::string expression = options.where;
  for (const std::string& word : options.words) {
    if (!expression.empty()) expression += ' ';
    expression += word;
  }
  return expression;
}

// Bytes of rows that wait: for a person only as many as delay no line; else so many that the answer
// to any request comes in time.
constexpr size_t kWaitForPerson = 4u << 20, kWaitForAnswer = 64u << 20;

// Appends "2026-01-31 14:05:10.123456".
void AppendClock(int64_t unix_ns, bool utc, std::string* out) {
  const size_t start = out->size();
  view::AppendUtc(unix_ns + (utc ? 0 : io::LocalOffset(unix_ns)), out);
  out->resize(start + sizeof "2026-01-31 14:05:10.123456" - 1);
  (*out)[start + 10] = ' ';
}

// What is read of the end of a trace whose last messages are shown. It is more than enough of
// messages of a usual size; if not, all of it is read once more.
constexpr uint64_t kTail = 1u << 20, kTailPerMessage = 32u << 10;

// The offset in the file behind which the last messages are; 0: what is before them has to be known
// too, or to leave it out would be no gain.
uint64_t TailOf(const ShowOptions& options, uint64_t file_size) {
  const uint64_t tail = kTail + options.last * kTailPerMessage;
  if (options.last == 0 || options.pair || file_size / 2 < tail) return 0;
  return file_size - tail;
}

// Lets the viewer pass over what it does not show.
void PassOver(const ShowOptions& options, ViewOptions* view) {
  std::error_code error;
  if (options.follow || options.tree || !std::filesystem::is_regular_file(options.trace, error)) {
    return;
  }
  const uintmax_t size = std::filesystem::file_size(options.trace, error);
  view->passes_early = view->since_ns != 0;
  view->last = options.last;
  if (!error && view->filter == nullptr) view->passes_below = TailOf(options, size);
}

// One line for each option that finds nothing because of it.
void ReportMissingTimes(const ShowOptions& options, const trace::Filter* filter,
                        const Viewer& viewer) {
  const bool times = filter != nullptr && filter->needs_time();
  if (!viewer.has_times() && times) {
    ReportNote("the trace has no times: latency and at match nothing");
  }
  if (viewer.has_dates()) return;
  if (!options.since.empty()) ReportNote("the trace has no dates: --since matches nothing");
  if (options.utc || options.local) {
    ReportNote("the trace has no dates: times are seconds since its start");
  }
}

// Otherwise an empty screen may be a mistake in the filter, or what was looked for is not there.
void ReportNoMatch(const ShowOptions& options, bool filter, const Viewer& viewer) {
  if (viewer.matched() || options.json || options.follow) return;
  if (filter) {
    ReportNote("nothing matches the filter: " + Expression(options) +
               (options.since.empty() ? "" : ", with --since " + options.since));
  } else if (!options.since.empty() && viewer.has_dates()) {
    ReportNote("nothing came since then: --since " + options.since);
  }
}

// A pipe blocks until there is more: then ages would stand still.
bool HasFooter(const ShowOptions& options) {
  std::error_code ignored;
  return options.follow && !options.json && LiveFooter::CanDraw() &&
         std::filesystem::is_regular_file(options.trace, ignored);
}

// Whether what the parties agree on is not known yet.
bool MayAgreeLate(const wire::Dialect& dialect, const trace::SessionHead& head) {
  if (!dialect.revisions.empty()) return !head.agreed;
  return !dialect.negotiation.capabilities.empty() && head.capabilities[1].empty();
}

int ShowTimeline(const ShowOptions& options, trace::Filter* filter) {
  Output output;
  output.Page(!options.no_pager && !options.follow);
  // What comes from a pipe is shown at once with -f: nothing waits for messages to detect from.
  const Result<ChosenDialect> chosen =
      ChooseDialect(options.dialect, {options.trace}, false, Logs::kTake,
                    options.follow ? Pipes::kLeave : Pipes::kReadAhead);
  if (!chosen) return Fail(chosen.error());
  const wire::Dialect* const dialect = chosen->dialect.get();
  ViewOptions view{
      .body = options.body,
      .stderr_lines = options.stderr_lines || (filter != nullptr && filter->asks_stderr()),
      .live = options.follow,
      .pair = options.pair,
      .tree = options.tree,
      .clock = options.utc || options.local,
      .dialect = dialect,
      .filter = filter};
  if (!options.since.empty()) {
    const Result<int64_t> since =
        ParseInstant("--since", options.since, io::SystemClock().UnixNs(), options.utc);
    if (!since) return Fail(since.error());
    view.since_ns = *since;
  }
  const bool exact = options.json || options.pair || (filter != nullptr && filter->needs_answer());
  std::optional<WaitingRows> rows;
  view::PrintOptions print{.style = StyleOf(1, options.color),
                           .body = options.body,
                           .labels = dialect != nullptr && !dialect->labels.empty(),
                           .settle = [&rows] { rows->Settle(); }};
  if (view.clock) {
    print.clock = [utc = options.utc](int64_t unix_ns, std::string* out) {
      AppendClock(unix_ns, utc, out);
    };
  }
  std::unique_ptr<view::Printer> printer;
  const auto start = [&] {
    rows.emplace(&output, exact ? kWaitForAnswer : kWaitForPerson, options.last);
    printer = options.json ? view::MakeJsonPrinter(print, rows->text())
                           : view::MakeTextPrinter(print, rows->text());
  };
  start();
  if (print.style.width != 0) printer->Header();
  std::optional<LateHead> late_head;
  if (dialect != nullptr && filter == nullptr) {
    if (options.follow && MayAgreeLate(*dialect, chosen->head)) {
      view.late_head = &late_head.emplace(dialect, chosen->head);
    } else {
      printer->Head(chosen->head);
    }
  }
  rows->WriteThrough();
  std::optional<LiveFooter> footer;
  if (HasFooter(options)) {
    view.footer = &footer.emplace(print.style);
    io::CatchInterrupts({SIGTERM});
  }
  PassOver(options, &view);
  std::optional<Viewer> viewer;
  const auto read_trace = [&] {
    viewer.emplace(view, printer.get(), &*rows, &output);
    return ReadTraceOrLog(options.trace, options.follow, &*viewer, options.restarts);
  };
  Result<ReadOutcome> ending = read_trace();
  if (ending && !viewer->Finish()) {
    view.passes_early = false;
    view.passes_below = 0;
    start();
    ending = read_trace();
    if (ending) viewer->Finish();
  }
  if (!ending) return Fail(ending.error());
  const int written = output.Finish();
  const int read = ReportOutcome(*ending);
  ReportMissingTimes(options, filter, *viewer);
  if (written == kFine) ReportNoMatch(options, filter != nullptr, *viewer);
  if (!options.follow && read == kFine) ReportNextSessions({options.trace});
  if (footer && io::Interrupted() == SIGTERM) io::EndByInterrupt();
  return written != kFine ? written : read;
}

// Options that exclude each other.
Status CanCombine(const ShowOptions& options) {
  const bool timeline = options.pair || options.tree || options.last != 0 || options.utc ||
                        options.local || !options.since.empty();
  if (options.raw && timeline) {
    return Error{"--raw writes a whole stream", "",
                 "remove --pair, --tree, -n, --utc, --local and --since"};
  }
  if (options.pair && options.body) {
    return Error{"--pair has one line for each call", "", "remove --body"};
  }
  if (options.pair && options.follow) {
    return Error{"--pair waits for answers, and -f shows lines at once", "", "remove one of them"};
  }
  if (options.restarts && !options.follow) {
    return Error{"--restarts needs -f", "", "add -f"};
  }
  if (options.utc && options.local) {
    return Error{"--utc and --local exclude each other", "", "remove one of them"};
  }
  if (options.json && (options.utc || options.local)) {
    return Error{"--json has at_ns, and the UTC time of each event", "",
                 "remove --utc and --local"};
  }
  return Ok{};
}

int Show(ShowOptions options) {
  TakeTraceForFilter(&options);
  if (const Status can = CanCombine(options); !can) return Fail(can.error());
  if (options.raw && options.direction.empty()) {
    return Fail(
        {"--raw needs --direction", "no stream is named", "add --direction h2p, p2h or stderr"});
  }
  if (!options.raw && !options.direction.empty()) {
    return Fail({"--direction needs --raw", "", "to show one direction, use the filter dir=h2p"});
  }
  if (options.sample && !options.trace.empty())
    return Fail({"--sample: names the trace", options.trace, "leave one of them out"});
  const std::string expression = Expression(options);
  if (options.raw && !expression.empty()) {
    return Fail(
        {"--raw takes no filter: it writes a whole stream", expression, "remove the filter"});
  }
  Result<trace::Filter> filter = trace::Filter::Compile(expression);
  if (!filter) return Fail(AnotherTrace(options).value_or(filter.error()));
  if (options.follow && filter->tests_unanswered()) {
    return Fail({"unanswered is known at the end of a session, and -f shows lines at once",
                 expression, "remove one of them"});
  }
  if (options.trace.empty()) {
    Result<std::string> trace = options.sample   ? SampleTrace()
                                : options.follow ? AwaitNewestTrace()
                                                 : NewestTrace();
    if (!trace) return Fail(trace.error());
    options.trace = *trace;
  }
  if (options.follow && !AwaitTrace(options.trace)) return kFine;  // Ctrl-C
  if (options.raw) return WriteRaw(options.trace, options.direction, options.follow);
  return ShowTimeline(options, expression.empty() ? nullptr : &*filter);
}

}  // namespace

std::function<int()> DeclareShow(ArgumentParser parser) {
  auto options = std::make_shared<ShowOptions>();
  parser.AddOption("TRACE", &options->trace,
                   "tape, cassette or log (doc/import.md), - for standard input "
                   "(default: the newest tape)");
  parser.AddFlag("--sample", &options->sample, "show the sample session that comes with midwire");
  parser.AddOption("FILTER", &options->words, "the filter, as for --where");
  parser.AddOption("--where", &options->where, "show only lines that match this filter")
      .TypeName("FILTER");
  parser.AddOption("--dialect", &options->dialect,
                   "the protocol, for labels and failures: a built-in dialect, a file, or none "
                   "(default: the one that the first messages show)");
  parser.AddFlag("--body", &options->body, "print bodies too; JSON is indented");
  parser.AddFlag("--json", &options->json, "print one JSON object per line (doc/show-json.md)");
  parser.AddFlag("--pair", &options->pair, "print an answer beside its request");
  parser.AddFlag("--tree", &options->tree,
                 "indent calls below the call during which they were made");
  parser.AddOption("-n,--last", &options->last, "print only the last N messages")
      .TypeName("N")
      .Between(1, kMostLast);
  parser
      .AddOption("--since", &options->since,
                 "print only what came from this time on: 10m (ago), 14:05, 2026-01-31T14:05:10Z")
      .TypeName("TIME");
  parser.AddFlag("--utc", &options->utc, "print UTC times instead of seconds since the start");
  parser.AddFlag("--local", &options->local, "the same with local times");
  parser.AddFlag("--stderr", &options->stderr_lines, "also show the plugin's stderr");
  parser.AddFlag("-f,--follow", &options->follow,
                 "wait for the tape, and keep reading while it grows, until its end or Ctrl-C; go "
                 "on with the next session of the same name (tape-2.pcapng), if there is one; on a "
                 "terminal, the open calls are below the messages");
  parser.AddFlag("--restarts", &options->restarts, "with -f: wait for that session too");
  parser.AddFlag("--raw", &options->raw,
                 "write the exact bytes of one stream, without escaping for a terminal");
  parser.AddOption("--direction", &options->direction, "the stream that --raw writes")
      .OneOf({"h2p", "p2h", "stderr"});
  parser
      .AddOption("--color", &options->color,
                 "use colors; auto: if the output is a terminal and NO_COLOR is not set")
      .OneOf({"auto", "always", "never"});
  AddNoPager(parser, &options->no_pager);
  parser.Footer(kShowFooter);
  return [options] { return Show(*options); };
}

}  // namespace midwire::tools
