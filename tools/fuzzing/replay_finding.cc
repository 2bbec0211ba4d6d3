#include "tools/fuzzing/replay_finding.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "fuzz/cause.h"
#include "fuzz/live/investigate.h"
#include "fuzz/oracle/pending_requests.h"
#include "io/clock.h"
#include "io/files/write_file.h"
#include "io/interrupt.h"
#include "io/signals.h"
#include "tools/command.h"
#include "tools/console/diagnostics.h"
#include "tools/output.h"
#include "tools/output_files.h"
#include "tools/read_trace.h"
#include "trace/event.h"
#include "view/findings/finding_report.h"
#include "wire/counted.h"
#include "wire/dialect/built_in.h"
#include "wire/json/value.h"

namespace midwire::tools {
namespace {

// Waits longer for answers than the campaign did: a test may run on a busy machine.
constexpr int kTestPatience = 5;

class HeaderListener : public TraceListener {
 public:
  void OnRecord(const trace::Record& record) override {
    if (record.stream == trace::Stream::kEvents) {
      const auto event = trace::ParseEvent(record.body);
      const bool is_header = event && std::holds_alternative<trace::HeaderEvent>(*event);
      if (is_header || !event) header = record.body;  // an unreadable line may be that of a finding
    }
    done_ = true;  // the first record decides
  }
  void OnDamage(const trace::Damage&) override { damaged = !done_; }
  bool stop() const override { return done_; }
  bool any() const { return done_; }
  std::string header;
  bool damaged = false;  // damage before the first record

 private:
  bool done_ = false;
};

// Why a cassette's first line is unreadable; nothing if it has no finding.
std::optional<Error> BadHeader(const std::string& trace, bool torn) {
  constexpr size_t kMaxHeader = 1u << 20;  // a finding's header has a few thousand bytes
  std::string line(kMaxHeader, '\0');
  std::ifstream file(trace, std::ios::binary);
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<size_t>(file.gcount()));
  line.resize(std::min(line.find('\n'), line.size()));
  if (line.find("\"finding\"") == line.npos) return std::nullopt;
  const auto json = wire::ParseJson(line);
  const std::string reason = torn   ? "it is cut off"
                             : json ? "not a header"
                                    : json.error().what + ", " + json.error().where;
  return Error{"the finding in the cassette is unusable", trace + ", line 1: " + reason,
               "the header describes the finding; restore it from the original"};
}

// Limit of one play; a campaign sends far less to one process (kMaxHistory).
constexpr size_t kMaxLife = fuzz::kMaxSeedBytes;

// All bytes of one party in the first session in which it sent anything.
class PartyBytes : public TraceListener {
 public:
  explicit PartyBytes(wire::Direction role) : stream_(trace::StreamOf(role)) {}
  void OnRecord(const trace::Record& record) override {
    if (record.stream != stream_ || over_) return;
    if (bytes.size() + record.head.size() + record.body.size() > kMaxLife) too_long = true;
    if (!too_long) bytes.append(record.head).append(record.body);
  }
  void OnSection() override { over_ = !bytes.empty(); }
  std::string bytes;
  bool too_long = false;

 private:
  trace::Stream stream_;
  bool over_ = false;
};

// Why a trace is not the whole recording.
std::optional<Error> Missing(const std::string& trace, const ReadOutcome& ending) {
  if (!ending.failure.empty()) return Error{ending.failure, "", ""};
  if (ending.damaged_bytes > 0) {
    return Error{"the trace is damaged",
                 trace + ", at " + ending.first_damage.Place() + ": " + ending.first_damage.reason,
                 wire::Counted(ending.damaged_bytes, "byte") + " unreadable"};
  }
  if (ending.torn_bytes == 0 && (ending.ended || !ending.spawned)) return std::nullopt;
  return Error{"the trace is cut off", trace,
               ending.torn_bytes == 0 ? "there is no end event"
                                      : "the last " + wire::Counted(ending.torn_bytes, "byte") +
                                            " are an unfinished record"};
}

}  // namespace

Error NotStarted(const std::string& host) {
  return {"the host does not start its plugin", host,
          "write {plugin} where its command names the plugin, as for midwire fuzz --host"};
}

Result<std::optional<fuzz::FindingRecord>> FindingOf(const std::string& trace) {
  // What can be read only once.
  std::error_code none;
  const auto type = std::filesystem::status(trace, none).type();
  if (trace == "-" || type == std::filesystem::file_type::fifo ||
      type == std::filesystem::file_type::character) {
    return std::optional<fuzz::FindingRecord>();
  }
  HeaderListener listener;
  const Result<ReadOutcome> ending = ReadTrace(trace, /*follow=*/false, &listener);
  if (!ending) return ending.error();
  if (listener.header.empty()) {
    const bool torn = !listener.any() && ending->torn_bytes > 0;
    const auto bad = listener.damaged || torn ? BadHeader(trace, torn) : std::nullopt;
    if (bad) return *bad;
    return std::optional<fuzz::FindingRecord>();
  }
  auto record = fuzz::ParseFindingHeader(listener.header);
  if (!record)
    return Error{record.error().what, trace + ", " + record.error().where, record.error().remedy};
  // The cassette is untrusted, and a named pipe or device would block forever.
  const std::string dialect = *record ? (*record)->dialect : "";
  if (wire::BuiltInDialect(dialect).empty() && std::filesystem::exists(dialect, none) &&
      !std::filesystem::is_regular_file(dialect, none)) {
    return Error{"the finding in the cassette is unusable", trace + ", /finding/dialect",
                 "use a built-in dialect or a regular file"};
  }
  return record;
}

Result<LoadedCase> LoadCase(const std::string& trace, const std::string& dialect,
                            const fuzz::FindingRecord* record) {
  const auto role = record != nullptr && record->of_host ? wire::Direction::kPluginToHost
                                                         : wire::Direction::kHostToPlugin;
  auto seeds = LoadSeeds({trace}, dialect, role);
  if (!seeds) return seeds.error();
  LoadedCase loaded = {.seeds = std::move(*seeds)};
  fuzz::Seeds& from = loaded.seeds->seeds;
  PartyBytes sent(role);
  const Result<ReadOutcome> ending = ReadTrace(trace, /*follow=*/false, &sent);
  if (!ending) return ending.error();
  if (sent.too_long) {
    return Error{"the session is too long to play", trace,
                 "the limit for one party is " + std::to_string(kMaxLife >> 20) + " MiB"};
  }
  loaded.missing = Missing(trace, *ending);
  if (!loaded.missing && sent.bytes.empty() && !ending->spawned) {
    loaded.missing =
        Error{"the trace is empty", trace,
              "it has no messages of the " +
                  std::string(role == wire::Direction::kHostToPlugin ? "host" : "plugin")};
  }
  from.ends.clear();  // what ends it here may be the fault
  from.may_end.clear();
  if (record != nullptr) fuzz::UseSeeds(*record, &from);
  loaded.life.input = fuzz::ParseInput(sent.bytes, from.framing, fuzz::kMaxLifeParts);
  if (loaded.life.input.parts.size() > fuzz::kMaxPendingRequests) {
    return Error{"the session is too long to play", trace,
                 "it has " + std::to_string(loaded.life.input.parts.size()) +
                     " messages; the limit is " + std::to_string(fuzz::kMaxPendingRequests)};
  }
  from.opening = {};
  from.late.clear();  // this finding may be such a late answer
  return loaded;
}

fuzz::ProtocolOracleOptions OracleOptionsOf(const fuzz::FindingRecord& record, LoadedSeeds* seeds) {
  fuzz::ProtocolOracleOptions options;
  if (seeds->dialect != nullptr) Exempt(record.exempt, seeds->dialect.get());
  options.dialect = seeds->dialect.get();
  if (record.of_host) options.oracles.reset(static_cast<size_t>(fuzz::Oracle::kExit));
  options.oracles.set(static_cast<size_t>(record.oracle));
  if (record.big_ids) options.oracles.set(static_cast<size_t>(fuzz::Oracle::kBigId));
  return options;
}

std::string DialectOf(const fuzz::FindingRecord& record, const std::string& trace) {
  const std::string& name = record.dialect;
  if (name.empty()) return "none";
  std::error_code none;
  if (!wire::BuiltInDialect(name).empty() || std::filesystem::exists(name, none)) return name;
  const auto beside =
      std::filesystem::path(trace).parent_path() / std::filesystem::path(name).filename();
  return std::filesystem::is_regular_file(beside, none) ? beside.string() : name;
}

namespace {

view::FindingReport::Finding Printed(const fuzz::Finding& finding, const std::string& recorded) {
  const bool same = fuzz::IsSameKey(recorded, finding.key);
  return {std::string(fuzz::Name(finding.oracle)), finding.key, finding.text,
          fuzz::CauseOf(same ? recorded : finding.key)};
}

std::string FlakyText(const fuzz::FindingRecord& record, int most) {
  const std::string shown = record.hits == 0
                                ? "it occurred once"
                                : std::to_string(record.hits) + " of " +
                                      std::to_string(record.tries) + " plays showed it";
  return "the finding is flaky (" + shown + "): it is played until it occurs, at most " +
         std::to_string(most) + " times";
}

}  // namespace

int ReplayFinding(const std::string& trace, const fuzz::FindingRecord& record,
                  const std::function<Status()>& before, bool json, const std::string& junit) {
  const std::string dialect = DialectOf(record, trace);
  const Status can_report = CanOverwrite({{"--junit", junit}}, {dialect});
  if (!can_report) return ReportError(can_report.error()), kUsage;
  auto loaded = LoadCase(trace, dialect, &record);
  if (!loaded) return ReportError(loaded.error()), kUsage;
  if (loaded->missing) return ReportError(*loaded->missing), kDataLost;
  loaded->life.pace = record.pace;
  loaded->life.eof = record.eof;
  loaded->life.probes_sync = record.probes_sync;
  fuzz::RunnerOptions options = {
      .argv = PluginCommand(), .host = record.of_host, .plugin_name = record.plugin_name};
  options.before = before;
  if (record.max_growth != 0) options.max_growth = record.max_growth;
  options.oracle = OracleOptionsOf(record, loaded->seeds.get());
  fuzz::Features features({});
  auto target = fuzz::MakeTarget(options, &loaded->seeds->seeds, &features);
  target->UseRecord(record);
  target->stop = [] { return io::Interrupted() != 0; };
  io::IgnoreSignals({SIGPIPE});
  // So that a fuzzed host's stand-in is removed before the end.
  io::CatchInterrupts({SIGINT, SIGTERM, SIGHUP}, io::Ignored::kIsCaught);

  // A flaky finding gets more tries.
  std::vector<fuzz::Finding> findings;
  const int64_t start_ns = io::MonotonicNow();
  const int most = fuzz::PlaysToShow(record.hits, record.tries);
  // A person waits for it; in a log it is of use if one play is not enough.
  const int noted_after = isatty(STDERR_FILENO) != 0 ? 0 : 1;
  int plays = 0;
  for (; plays < most && io::Interrupted() == 0; ++plays) {
    if (fuzz::FindKey(findings, record.key) != nullptr) break;
    if (most > 1 && plays == noted_after) ReportNote(FlakyText(record, most));
    auto played = target->Play(loaded->life, kTestPatience, nullptr);
    if (!played) return ReportError(played.error()), kUsage;
    for (fuzz::Finding& finding : *played) {
      if (!fuzz::HasKey(findings, finding.key)) findings.push_back(std::move(finding));
    }
  }
  const bool reached = target->reached();
  target.reset();
  if (io::Interrupted() != 0) io::EndByInterrupt();
  if (findings.empty() && !reached) return ReportError(NotStarted(PluginCommand()[0])), kUsage;
  view::FindingReport report = {.trace = trace,
                                .recorded = {std::string(fuzz::Name(record.oracle)), record.key,
                                             record.text, fuzz::CauseOf(record.key)}};
  report.plays = plays;
  report.most_plays = most;
  for (const fuzz::Finding& finding : findings) {
    report.findings.push_back(Printed(finding, record.key));
  }
  report.seconds = static_cast<double>(io::MonotonicNow() - start_ns) / 1e9;
  Output output;
  const auto print = json ? view::AppendFindingJson : view::AppendFindingText;
  print(report, output.text());
  const int written = output.Finish();
  if (written != kFine) return written;
  std::string xml;
  if (!junit.empty()) view::AppendFindingJunit(report, &xml);
  if (!junit.empty() && !io::WriteFile(junit, xml))
    return Fail({"cannot write the JUnit report", junit, strerror(errno)}, kDataLost);
  return findings.empty() ? kFine : kDifference;
}

}  // namespace midwire::tools
