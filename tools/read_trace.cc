#include "tools/read_trace.h"

#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "io/files/file_growth.h"
#include "io/interrupt.h"
#include "io/signals.h"
#include "proxy/tape_name.h"
#include "tools/command.h"
#include "tools/console/diagnostics.h"
#include "tools/import_log.h"
#include "tools/read_ahead.h"
#include "trace/event.h"
#include "wire/counted.h"

namespace midwire::tools {
namespace {

namespace fs = std::filesystem;
using trace::Record;
using trace::Step;

// Handles the two events that decide how reading continues. The listener handles all others.
void NoteEvents(const Record& record, ReadOutcome* outcome) {
  const bool relevant = record.body.find("\"spawn\"") != record.body.npos ||
                        record.body.find("\"end\"") != record.body.npos;
  if (!relevant) return;
  const Result<trace::Event> event = trace::ParseEvent(record.body);
  if (!event) return;
  if (std::holds_alternative<trace::SpawnEvent>(*event)) outcome->spawned = true;
  if (const auto* end = std::get_if<trace::EndEvent>(&*event)) {
    outcome->ended = true;
    outcome->next = end->next;
  }
}

// The file that a tape names as its next part. A tape is not trusted: only a plain name in the same
// folder is followed.
std::optional<std::string> NextPart(const std::string& path, const std::string& next) {
  const bool plain = !next.empty() && next != "." && next != ".." && next.find('/') == next.npos &&
                     next.find('\0') == next.npos;
  if (!plain || path == "-") return std::nullopt;
  return (fs::path(path).parent_path() / next).string();
}

// A name in a tape may be that of a named pipe, which would block.
Result<std::unique_ptr<trace::TraceReader>> OpenNextPart(const std::string& path) {
  auto source = trace::OpenRegularFile(path);
  if (!source) return source.error();
  auto reader = trace::OpenTrace(std::move(*source));
  if (!reader) return Error{reader.error().what, path, reader.error().remedy};
  return reader;
}

// Identified by device and inode, whatever its name. False: it was added before.
bool Remember(const std::string& path, std::set<std::pair<dev_t, ino_t>>* shown) {
  struct stat file;
  return stat(path.c_str(), &file) != 0 || shown->insert({file.st_dev, file.st_ino}).second;
}

// Reads until no more is available now. live: the next read may block for long, so each record is
// followed by a pause.
void ReadOn(trace::TraceReader* reader, const std::string& path, bool live, TraceListener* listener,
            ReadOutcome* outcome) {
  Record record;
  while (!outcome->stopped) {
    const Result<Step> step = reader->Next(&record);
    if (!step) {
      Error error = step.error();
      if (error.where.empty()) error.where = path == "-" ? "standard input" : path;
      outcome->failure = error.Text();
      return;
    }
    switch (*step) {
      case Step::kRecord:
        if (record.stream == trace::Stream::kEvents) NoteEvents(record, outcome);
        listener->OnRecord(record);
        if (live) listener->OnPause();
        outcome->stopped = listener->stop() || io::Interrupted() != 0;
        break;
      case Step::kSection:
        outcome->ended = false;
        listener->OnSection();
        break;
      case Step::kDamage:
        if (outcome->first_damage.reason.empty()) outcome->first_damage = reader->damage();
        listener->OnDamage(reader->damage());
        break;
      case Step::kWait:
        return;
    }
  }
}

// Of the tapes in a folder.
std::optional<std::string> NewestIn(const std::string& folder) {
  std::error_code ignored;
  std::optional<std::pair<fs::file_time_type, std::string>> newest;
  for (fs::directory_iterator at(folder, ignored), end; at != end; at.increment(ignored)) {
    const fs::directory_entry& entry = *at;
    const std::string suffix = entry.path().extension();
    if ((suffix != ".pcapng" && suffix != ".jsonl") || !entry.is_regular_file(ignored)) continue;
    std::pair candidate(entry.last_write_time(ignored), entry.path().string());
    if (!newest || candidate > *newest) newest = std::move(candidate);
  }
  if (!newest) return std::nullopt;
  return newest->second;
}

// The tape of the next session, if there is one or the caller waits for it.
std::optional<std::string> NextSession(const std::string& path, int session, bool wait,
                                       TraceListener* listener) {
  std::string next = NextSessionOf(path, session);
  while (wait && next.empty() && io::Interrupted() == 0) {
    io::FileGrowth(path).Wait();
    next = NextSessionOf(path, session);
    listener->OnPause();
  }
  if (next.empty()) return std::nullopt;
  return next;
}

}  // namespace

bool HasTrace(const std::string& folder) { return NewestIn(folder).has_value(); }

Result<std::string> NewestTrace() {
  Result<std::string> folder = proxy::DefaultFolder();
  if (!folder) return folder.error();
  std::optional<std::string> newest = NewestIn(*folder);
  if (!newest) {
    return Error{"no trace is named, and no tape has been recorded yet", *folder,
                 "name a trace, or record one with: midwire record -- PLUGIN"};
  }
  ReportNote("newest trace: " + *newest);
  return std::move(*newest);
}

Result<ReadOutcome> ReadTrace(const std::string& path, bool follow, TraceListener* listener,
                              bool restarts) {
  ReadOutcome outcome;
  std::string part = path;
  std::error_code ignored;
  uint64_t damaged_before = 0;
  std::set<std::pair<dev_t, ino_t>> shown;
  (void)Remember(path, &shown);
  bool is_first = true;
  int session = 1;
  while (true) {
    // A pipe blocks until there is more; its end is the end of the trace.
    const bool pipe = is_first && (part == "-" || !fs::is_regular_file(part, ignored));
    std::optional<io::FileGrowth> growth;
    if (follow && !pipe) {
      io::CatchInterrupts({SIGINT});
      growth.emplace(part);
      while (growth->IsEmpty() && io::Interrupted() == 0) growth->Wait();
    }
    auto reader = is_first ? OpenTraceOnce(part) : OpenNextPart(part);
    if (!reader && is_first) return WithImport(reader.error(), path);
    if (!reader) {
      outcome.failure = reader.error().Text();
      return outcome;
    }
    outcome.ended = false;
    outcome.next.clear();
    while (true) {
      ReadOn(reader->get(), part, follow && pipe, listener, &outcome);
      outcome.damaged_bytes = damaged_before + (*reader)->damaged_bytes();
      outcome.torn_bytes = (*reader)->torn_bytes();
      listener->OnPause();
      outcome.stopped = outcome.stopped || listener->stop() || io::Interrupted() != 0;
      if (!growth || outcome.stopped || outcome.ended || !outcome.failure.empty()) break;
      growth->Wait();
    }
    std::optional<std::string> next = NextPart(part, outcome.next);
    if (!follow || outcome.stopped || !outcome.ended) return outcome;
    if (!next && outcome.next.empty() && growth) {
      // While the next one is awaited, no call of this session is open.
      if (restarts) listener->OnSection();
      next = NextSession(path, session++, restarts, listener);
      if (next && !restarts) listener->OnSection();
      if (next) listener->OnNextTrace();
    }
    if (!next) return outcome;
    // Parts that name each other in a circle would be shown forever.
    if (!Remember(*next, &shown)) return outcome;
    damaged_before = outcome.damaged_bytes;
    part = *next;
    is_first = false;
  }
}

Result<ReadOutcome> ReadTraceOrLog(const std::string& path, bool follow, TraceListener* listener,
                                   bool restarts) {
  Result<ReadOutcome> read = ReadTrace(path, follow, listener, restarts);
  if (read || follow || !IsLog(read.error(), path)) return read;
  const Result<OpenedLog> log = OpenLog(path);
  if (!log) return log.error();
  ReadOutcome outcome;
  ReadOn(log->reader.get(), path, /*live=*/false, listener, &outcome);
  listener->OnPause();
  outcome.log = log->note;
  outcome.lost = log->lost;
  return outcome;
}

int ReportOutcome(const ReadOutcome& outcome, const std::string& trace) {
  int code = kFine;
  const std::string where = trace.empty() ? "" : trace + ": ";
  if (!outcome.failure.empty()) {
    ReportError({outcome.failure, "", ""});
    code = kDataLost;
  }
  if (!outcome.log.empty()) ReportNote(where + outcome.log);
  if (!outcome.lost.empty()) {
    ReportWarning(where + outcome.lost);
    code = kDataLost;
  }
  if (outcome.damaged_bytes > 0) {
    ReportWarning(where + "skipped " + wire::Counted(outcome.damaged_bytes, "damaged byte") +
                  ", the first at " + outcome.first_damage.Place() + ": " +
                  outcome.first_damage.reason + " (copy the readable part with midwire recover)");
    code = kDataLost;
  }
  if (outcome.stopped) return code;
  if (outcome.torn_bytes > 0) {
    ReportNote(where + "the last " + wire::Counted(outcome.torn_bytes, "byte") +
               " are an unfinished record");
  }
  if (outcome.spawned && !outcome.ended && outcome.failure.empty()) {
    ReportNote(where +
               "the session was cut off: there is no end event (midwire was killed, the disk was "
               "full, or it still records)");
  }
  if (!outcome.next.empty()) ReportNote(where + "the recording continues in " + outcome.next);
  return code;
}

}  // namespace midwire::tools
