#include "tools/bundling/bundle.h"

#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "check/generic/names.h"
#include "tools/audit_printer.h"
#include "tools/check_listener.h"
#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/diagnostics.h"
#include "tools/load_dialect.h"
#include "tools/read_trace.h"
#include "tools/reporting/redacted_copy.h"
#include "tools/reporting/report.h"
#include "tools/reporting/row_text.h"
#include "tools/reporting/temporary_folder.h"
#include "tools/rewrite.h"
#include "trace/event.h"
#include "view/text/check_report.h"
#include "wire/counted.h"
#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

// Of the list of finds; the rest is counted.
constexpr size_t kMaxAudit = 1u << 20;

constexpr char kReadme[] = R"(# A recorded session

Made by `midwire bundle`. Secrets are replaced by tokens of the same length (redacted.txt says where), so the
session still replays.

| file | what it is |
| --- | --- |
| session.pcapng | every byte of both directions, with times; also opens in Wireshark |
| session.jsonl | the same as text, with a line for each message |
| report.html | the same for a browser, without a network |
| check.txt | what breaks the rules of the protocol |
| versions.txt | midwire, the plugin's command, the operating system |
| redacted.txt | what was replaced, and what only looks like a secret |

Look at it:

    midwire show session.pcapng

Play the host's part to a plugin, and see what the plugin sends otherwise:

    midwire replay session.jsonl -- PLUGIN

Play the plugin's part to a host:

    midwire mock session.jsonl
)";

// The first spawn event of a trace.
class FirstSpawn : public TraceListener {
 public:
  void OnRecord(const trace::Record& record) override {
    if (record.stream != trace::Stream::kEvents) return;
    const Result<trace::Event> event = trace::ParseEvent(record.body);
    if (!event) return;
    if (const auto* found = std::get_if<trace::SpawnEvent>(&*event)) spawn = *found;
  }
  bool stop() const override { return spawn.has_value(); }
  std::optional<trace::SpawnEvent> spawn;
};

// Reads a trace for its damage alone.
class Damages : public TraceListener {
 public:
  void OnRecord(const trace::Record&) override {}
};

std::string ReadWhole(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// "Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64"
std::string System() {
  std::string text;
  std::ifstream release("/etc/os-release");
  constexpr std::string_view kName = "PRETTY_NAME=\"";
  for (std::string line; std::getline(release, line);) {
    if (!line.starts_with(kName)) continue;
    text = line.substr(kName.size(), line.rfind('"') - kName.size()) + ", ";
  }
  utsname about;
  if (uname(&about) != 0) return text + "unknown";
  return text + about.sysname + " " + about.release + " " + about.machine;
}

class BundleMaker {
 public:
  BundleMaker(std::string trace, std::string dialect)
      : trace_(std::move(trace)), dialect_(std::move(dialect)) {}

  Result<Bundle> Make() {
    struct stat file;
    if (trace_ == "-" || (stat(trace_.c_str(), &file) == 0 && !S_ISREG(file.st_mode))) {
      return Error{"not a regular file", trace_ == "-" ? "standard input" : trace_,
                   "save the trace to a file first: it is read several times"};
    }
    if (stat(trace_.c_str(), &file) == 0 && static_cast<uint64_t>(file.st_size) > kMaxBundled) {
      return Error{"too large to attach to a report: at most 1 GiB", trace_,
                   "record a shorter session"};
    }
    if (folder_.path().empty()) {
      return Error{"cannot create a temporary folder", "", "set TMPDIR to a folder that exists"};
    }
    Damages all;
    const Result<ReadOutcome> read = ReadTrace(trace_, /*follow=*/false, &all);
    if (!read) return read.error();
    if (read->damaged_bytes > 0 || !read->failure.empty()) bundle_.code = ReportOutcome(*read);
    for (const auto step : {&BundleMaker::Redact, &BundleMaker::AddCassette, &BundleMaker::AddCheck,
                            &BundleMaker::AddReport}) {
      if (Status done = (this->*step)(); !done) return done.error();
    }
    Add("README.md", kReadme + notes_);
    Add("session.pcapng", ReadWhole(tape_));
    Add("versions.txt", Versions());
    Add("redacted.txt", bundle_.audit);
    return std::move(bundle_);
  }

 private:
  void Add(const char* name, std::string bytes) {
    bundle_.files.push_back({name, std::move(bytes)});
  }

  Status Redact() {
    Result<ChosenDialect> chosen = ChooseDialect(dialect_, {trace_}, /*strict=*/false);
    if (!chosen) return chosen.error();
    ReportDetected(*chosen);
    chosen_ = std::move(*chosen);
    AuditCounts counts;
    size_t left_out = 0;
    const Result<size_t> secrets = CopyRedacted(trace_, tape_, chosen_.dialect.get(),
                                                [&](const trace::redact::FoundSecret& found) {
                                                  if (!CountFound(found, &counts)) return;
                                                  if (bundle_.audit.size() < kMaxAudit) {
                                                    AppendAuditLine(found, &bundle_.audit);
                                                  } else {
                                                    ++left_out;
                                                  }
                                                });
    if (!secrets) return secrets.error();
    bundle_.secrets = *secrets;
    if (left_out > 0) bundle_.audit += "and " + std::to_string(left_out) + " more\n";
    counts.secrets = *secrets;
    AppendAuditSummary(counts, &bundle_.audit);
    FirstSpawn first;
    const Result<ReadOutcome> read = ReadTrace(tape_, /*follow=*/false, &first);
    if (!read) return read.error();
    spawn_ = std::move(first.spawn);
    if (spawn_ && !spawn_->cwd.empty()) {
      bundle_.audit +=
          "note    session.pcapng names the working folder " + wire::Escaped(spawn_->cwd);
      if (!spawn_->home.empty()) bundle_.audit += " and the home " + wire::Escaped(spawn_->home);
      bundle_.audit +=
          "; session.jsonl has {cwd} and {home} instead: send that alone if the folders are "
          "private\n";
    }
    return Ok{};
  }

  Status AddCassette() {
    RewriteOptions options = {.in = tape_, .out = folder_.path() + "/session.jsonl"};
    options.portable = true;  // with {cwd} and {home}, it replays on other machines
    bool writing = false;
    Result<Rewritten> written = Rewrite(options, trace::Format::kCassette, &writing);
    if (!written) {  // a trace that does not say where it was recorded
      options.portable = false;
      written = Rewrite(options, trace::Format::kCassette, &writing);
    }
    if (!written) return written.error();
    Add("session.jsonl", ReadWhole(options.out));
    return Ok{};
  }

  Status AddCheck() {
    CheckListener listener(
        [](const std::string& name) { return LoadNamedDialect(name, /*strict=*/false); });
    if (!chosen_.name.empty()) {
      Result<wire::Dialect> dialect = LoadNamedDialect(chosen_.name, /*strict=*/false);
      if (!dialect) return dialect.error();
      listener.Use(std::move(*dialect));
    }
    const Result<ReadOutcome> read = ReadTrace(tape_, /*follow=*/false, &listener);
    if (!read) return read.error();
    listener.Finish();
    if (listener.failed()) return *listener.error();
    const view::CheckContext context = {.trace = "session.pcapng",
                                        .dialect = listener.dialect()->name,
                                        .revision = listener.revisions(),
                                        .sureness = chosen_.head.sureness,
                                        .incomplete = read->spawned && !read->ended,
                                        .messages = listener.messages(),
                                        .sessions = listener.sessions(),
                                        .rules = check::RulesOf(*listener.dialect())};
    std::string text;
    view::AppendCheckText(*listener.violations(), context, /*notes=*/true, view::Style(), &text);
    Add("check.txt", std::move(text));
    return Ok{};
  }

  // Of the redacted trace: the same, without a second note.
  std::string DialectName() const { return chosen_.name.empty() ? "none" : chosen_.name; }

  Status AddReport() {
    const Result<MadeReport> report = MakeReport(
        {.traces = {tape_}, .other = "", .dialect = DialectName(), .where = "", .check = true});
    if (report) {
      Add("report.html", report->page);
      bundle_.code = std::max(bundle_.code, report->code);
      return Ok{};
    }
    const std::string note = "report.html is left out: " + report.error().what;
    ReportNote(note);
    notes_ += "\n" + note + "\n";
    return Ok{};
  }

  std::string Versions() const {
    std::string text = std::string("midwire       ") + MIDWIRE_VERSION + "\n";
    if (spawn_ && !spawn_->version.empty()) {
      text += "recorded by   midwire " + wire::Escaped(spawn_->version) + "\n";
    }
    const std::string command = spawn_ ? CommandLine(spawn_->argv) : "";
    text += "plugin        " + (command.empty() ? "unknown" : wire::Escaped(command)) + "\n";
    text += "protocol      " + chosen_.Text() + "\n";
    text += "system        " + wire::Escaped(System()) + ", where this bundle was made\n";
    return text;
  }

  const std::string trace_, dialect_;
  TemporaryFolder folder_;
  const std::string tape_ = folder_.path() + "/session.pcapng";
  ChosenDialect chosen_;
  std::optional<trace::SpawnEvent> spawn_;
  std::string notes_;
  Bundle bundle_;
};

}  // namespace

Result<Bundle> MakeBundle(const std::string& trace, const std::string& dialect) {
  return BundleMaker(trace, dialect).Make();
}

}  // namespace midwire::tools
