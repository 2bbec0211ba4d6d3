#include "tools/reporting/report.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>

#include "check/generic/names.h"
#include "tools/check_listener.h"
#include "tools/choose_dialect.h"
#include "tools/command.h"
#include "tools/console/diagnostics.h"
#include "tools/load_dialect.h"
#include "tools/read_ahead.h"
#include "tools/read_trace.h"
#include "tools/reporting/compare.h"
#include "tools/reporting/other_findings.h"
#include "tools/reporting/redacted_copy.h"
#include "tools/reporting/row_sink.h"
#include "tools/reporting/selection.h"
#include "tools/reporting/temporary_folder.h"
#include "tools/reporting/trace_rows.h"
#include "trace/filter.h"
#include "view/page/index.h"
#include "view/page/page.h"
#include "view/text/append.h"
#include "wire/counted.h"

namespace midwire::tools {
namespace {

// Bytes of messages, unpacked, that a page may hold: a browser keeps all of them in memory.
constexpr uint64_t kMaxPageBytes = 256u << 20;

// Collects the rows of a page and their bytes, within the limits of a page.
class PageRows : public RowSink {
 public:
  // `selection`: null for all rows. `max_body`: longer bodies are cut.
  PageRows(const Selection* selection, view::RowId first, uint64_t max_body, view::Rows* rows,
           std::string* blob)
      : selection_(selection), first_(first), max_body_(max_body), rows_(rows), blob_(blob) {}

  void OnRow(view::RowId id, const TraceRow& row) override {
    if (too_large_ || (selection_ != nullptr && !selection_->Has(id - first_))) return;
    const uint64_t header = row.row.header;
    const uint64_t whole = row.bytes.size();
    uint64_t kept = whole;
    if (kept > header && kept - header > max_body_) kept = header + max_body_;
    // A line end is no loss.
    cut_ = cut_ || kept < std::min(whole, header + row.row.body);
    if (rows_->count() >= view::kMaxPageRows || blob_->size() + kept > kMaxPageBytes) {
      too_large_ = true;
      return;
    }
    view::PageRow added = row.row;
    added.kept = kept;
    rows_->Add(id, added);
    blob_->append(row.bytes.substr(0, kept));
  }
  void OnFlags(view::RowId id, uint8_t flags) override { rows_->AddFlags(id, flags); }
  void OnUnread(view::RowId first, uint64_t last, uint8_t direction) override {
    rows_->AddFlags(first, last, direction, view::kUnreadRow);
  }
  bool stop() const override { return too_large_; }
  bool too_large() const { return too_large_; }
  bool cut() const { return cut_; }  // a body was

 private:
  const Selection* const selection_;
  const view::RowId first_;  // of the trace
  const uint64_t max_body_;
  view::Rows* const rows_;
  std::string* const blob_;
  bool too_large_ = false, cut_ = false;
};

std::string NameOf(const std::string& path) {
  return path == "-" ? "standard input" : path.substr(path.rfind('/') + 1);
}

class ReportMaker {
 public:
  explicit ReportMaker(const ReportOptions& options) : options_(options) {}

  Result<MadeReport> Make() {
    index_.version = MIDWIRE_VERSION;
    Result<trace::Filter> filter = trace::Filter::Compile(options_.where);
    if (!filter) return filter.error();
    if (!options_.where.empty()) filter_ = &*filter;
    std::vector<std::string> paths = options_.traces;
    if (!options_.other.empty()) paths.push_back(options_.other);
    for (const std::string& path : paths) {
      const bool other = !options_.other.empty() && &path == &paths.back();
      if (Status added = AddTrace(path, other, paths.size() > 1); !added) return added.error();
    }
    if (!options_.other.empty()) {
      const Part& a = parts_.front();
      const Part& b = parts_.back();
      Result<view::PageCompare> compared = CompareTraces(
          a.path, b.path, options_.dialect == "none" ? "" : options_.dialect,
          [&](uint64_t number) { return a.RowOf(number); },
          [&](uint64_t number) { return b.RowOf(number); });
      if (!compared) return compared.error();
      index_.compare = std::move(*compared);
    }
    if (Status added = AddOtherFindings(); !added) return added.error();
    AddSelectionNotes();
    AddTape();
    return MadeReport{view::ReportPage(view::IndexJson(index_), blob_), code_};
  }

 private:
  struct Part {
    std::string path;  // that is read: perhaps a redacted copy
    size_t first = 0;  // the place of its first session in the index
    std::vector<view::RowId> rows;
    bool log = false;  // of another program: it has no findings, and does not replay
    view::RowId RowOf(uint64_t number) const {
      return number == 0 || number > rows.size() ? view::kNoRow : rows[number - 1];
    }
  };

  // Whether a trace is read more than once.
  bool ReadsAgain() const {
    return filter_ != nullptr || options_.last != 0 || options_.check || options_.redact ||
           !options_.other.empty();
  }

  Status AddTrace(const std::string& given, bool other, bool several) {
    if (ReadsAgain() && ReadsOnce(given)) {
      return Error{"not a regular file", NameOf(given),
                   "save the trace to a file first: these options read it more than once"};
    }
    const std::string name = NameOf(given);
    const Result<ChosenDialect> chosen =
        ChooseDialect(options_.dialect, {given}, /*strict=*/false, Logs::kTake);
    if (!chosen) return chosen.error();
    ReportDetected(*chosen, several ? name : "");
    const wire::Dialect* const dialect = chosen->dialect.get();
    Part part{.path = given, .first = index_.sessions.size(), .rows = {}};
    if (options_.redact) {
      Result<std::string> copy = Redacted(given, dialect);
      if (!copy) return copy.error();
      part.path = *copy;
    }
    Selection selection(filter_, options_.last);
    const bool selects = filter_ != nullptr || options_.last != 0;
    if (selects) {
      if (Status done = SelectRows(part.path, dialect, &selection); !done) return done;
    }
    PageRows page(selects ? &selection : nullptr, next_, options_.max_body, &index_.rows, &blob_);
    TraceRows rows(name, dialect, next_, &page);
    const Result<ReadOutcome> read = ReadTraceOrLog(part.path, /*follow=*/false, &rows);
    if (!read) return read.error();
    if (page.too_large()) return TooLarge(name);
    rows.Finish();
    if (page.too_large()) return TooLarge(name);
    cut_ = cut_ || page.cut();
    next_ = rows.next_row();
    for (view::PageSession& session : *rows.sessions()) {
      session.other = other;
      if (dialect != nullptr) {
        session.dialect = chosen->head.dialect;
        session.revision = chosen->head.revision;
        session.sureness = chosen->head.sureness;
      }
      index_.sessions.push_back(std::move(session));
    }
    for (view::PageHandle& handle : rows.links()->TakeHandles()) {
      index_.handles.push_back(std::move(handle));
    }
    part.rows = rows.TakeRows();
    part.log = !read->log.empty();
    code_ = std::max(code_, ReportOutcome(*read, several ? name : ""));
    AddNotes(*read, several ? name + ": " : "");
    if (options_.check && !other) {
      if (Status checked = Check(part, *chosen, *read); !checked) return checked;
    }
    parts_.push_back(std::move(part));
    return Ok{};
  }

  static Error TooLarge(const std::string& name) {
    return {"the trace is too large for one page: at most " + view::Grouped(view::kMaxPageRows) +
                " rows and " + std::to_string(kMaxPageBytes >> 20) + " MiB of messages",
            name,
            "choose from it: --last 10000, --where 'method=tools/* failed', or --max-body 4k"};
  }

  Result<std::string> Redacted(const std::string& given, const wire::Dialect* dialect) {
    if (folder_.path().empty()) {
      return Error{"cannot create a temporary folder", "", "set TMPDIR to a folder that exists"};
    }
    const bool cassette = given.ends_with(".jsonl");
    std::string copy =
        folder_.path() + "/" + std::to_string(parts_.size()) + (cassette ? ".jsonl" : ".pcapng");
    const Result<size_t> secrets = CopyRedacted(given, copy, dialect);
    if (!secrets) return secrets.error();
    ReportNote("redacted " + wire::Counted(*secrets, "secret"));
    return copy;
  }

  Status Check(const Part& part, const ChosenDialect& chosen, const ReadOutcome& read) {
    CheckListener listener(
        [](const std::string& name) { return LoadNamedDialect(name, /*strict=*/false); });
    const std::string name = options_.dialect == "none" ? "json-rpc-2.0" : chosen.name;
    if (!name.empty()) {
      Result<wire::Dialect> dialect = LoadNamedDialect(name, /*strict=*/false);
      if (!dialect) return dialect.error();
      listener.Use(std::move(*dialect));
    }
    const Result<ReadOutcome> checked = ReadTraceOrLog(part.path, /*follow=*/false, &listener);
    if (!checked) return checked.error();
    listener.Finish();
    if (listener.failed()) return *listener.error();
    const size_t last = index_.sessions.size() - 1;
    for (size_t i = part.first; i <= last; ++i) {
      index_.sessions[i].check = {.dialect = listener.dialect()->name,
                                  .rules = check::RulesOf(*listener.dialect()).size(),
                                  .incomplete = i == last && read.spawned && !read.ended};
    }
    for (const trace::ViolationList::Listed& listed : listener.violations()->listed()) {
      const trace::Violation& violation = listed.violation;
      index_.findings.push_back(
          {.violation = violation,
           .row = part.RowOf(violation.frame),
           .session = std::min<size_t>(part.first + violation.session - 1, last)});
    }
    return Ok{};
  }

  // Of the first trace: what fuzz wrote into it, and what its replay reported.
  Status AddOtherFindings() {
    const Part& part = parts_.front();
    if (IsRegular(part.path) && !part.log) {
      const view::RowId last = part.rows.empty() ? view::kNoRow : part.rows.back();
      Result<std::optional<view::PageFinding>> fuzz = FuzzFinding(part.path, last);
      // The page shows what can be read.
      if (!fuzz) index_.notes.push_back(fuzz.error().Text());
      if (fuzz && *fuzz) index_.findings.push_back(std::move(**fuzz));
    }
    if (options_.replay.empty()) return Ok{};
    Result<ReplayFindings> replay =
        ReadReplayReport(options_.replay, [&](uint64_t number) { return part.RowOf(number); });
    if (!replay) return replay.error();
    index_.replay = std::move(replay->replay);
    for (view::PageFinding& finding : replay->findings)
      index_.findings.push_back(std::move(finding));
    return Ok{};
  }

  void AddNotes(const ReadOutcome& read, const std::string& where) {
    if (!read.failure.empty()) index_.notes.push_back(where + read.failure);
    if (!read.lost.empty()) index_.notes.push_back(where + "of the log, " + read.lost);
    if (read.damaged_bytes > 0) {
      index_.notes.push_back(where + view::Grouped(read.damaged_bytes) +
                             " bytes could not be read, the first at " + read.first_damage.Place() +
                             "; the rest is shown");
    }
    if (read.torn_bytes > 0) {
      index_.notes.push_back(where + "the last " + view::Grouped(read.torn_bytes) +
                             " bytes are an unfinished record");
    }
    if (!read.next.empty()) {
      index_.notes.push_back(where + "the recording continues in " + read.next);
    }
  }

  void AddSelectionNotes() {
    if (filter_ != nullptr)
      index_.notes.push_back("only what matches (--where): " + options_.where);
    if (options_.last != 0) {
      index_.notes.push_back("only the last " + view::Grouped(options_.last) +
                             " messages (--last)");
    }
    if (cut_) {
      index_.notes.push_back("longer bodies are cut at " + view::Grouped(options_.max_body) +
                             " bytes (--max-body)");
    }
    if (options_.redact) index_.notes.push_back("secrets are replaced by tokens (--redact)");
  }

  // The first trace, as a file that replays, if the page has all of it and it fits.
  void AddTape() {
    if (filter_ != nullptr || options_.last != 0 || cut_ || parts_.front().log) return;
    const std::string& path = parts_.front().path;
    struct stat file;
    if (!IsRegular(path) || stat(path.c_str(), &file) != 0) return;
    const auto size = static_cast<uint64_t>(file.st_size);
    if (blob_.size() + size > kMaxPageBytes) {
      index_.notes.push_back("the trace is too large to be saved from this page");
      return;
    }
    const size_t from = blob_.size();
    blob_.resize(from + size);
    std::ifstream in(path, std::ios::binary);
    in.read(blob_.data() + from, static_cast<std::streamsize>(size));
    if (!in) {  // it changed meanwhile
      blob_.resize(from);
      return;
    }
    index_.save = {NameOf(options_.traces.front()), from, size};
  }

  const ReportOptions& options_;
  trace::Filter* filter_ = nullptr;
  TemporaryFolder folder_;
  view::PageIndex index_;
  std::string blob_;
  std::vector<Part> parts_;
  view::RowId next_ = 0;
  bool cut_ = false;
  int code_ = kFine;
};

}  // namespace

Result<MadeReport> MakeReport(const ReportOptions& options) { return ReportMaker(options).Make(); }

}  // namespace midwire::tools
