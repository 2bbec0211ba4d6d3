#include "tools/showing/tape_summary.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>

#include "io/files/has_writer.h"
#include "proxy/plugin_name.h"
#include "tools/choose_dialect.h"
#include "tools/load_dialect.h"
#include "tools/read_trace.h"
#include "tools/showing/tally_listener.h"
#include "trace/event.h"
#include "trace/tape_encoder.h"
#include "wire/outcome/fault.h"

namespace midwire::tools {
namespace {

using view::ListedSession;
using End = ListedSession::End;

// Records at the start of a trace among which its spawn event is searched: a cassette made by hand
// has none.
constexpr size_t kStartRecords = 64;
// The last bytes of a tape: more than one block, which is below 67 KiB, and a few events.
constexpr size_t kTailBytes = 256 * 1024;
// Blocks at the end among which the exit is searched.
constexpr int kTailBlocks = 64;
// Of a block without contents: type, length, and the length again.
constexpr uint32_t kLeastBlock = 12;

// Notes the events and times of a trace.
class SummaryNotes : public TraceListener {
 public:
  explicit SummaryNotes(size_t most_records = SIZE_MAX) : most_records_(most_records) {}

  void OnRecord(const trace::Record& record) override {
    ++records_;
    if (record.time_ns != 0) {
      if (start_ns == 0) start_ns = record.time_ns;
      last_ns = std::max(last_ns, record.time_ns);
    }
    if (record.stream != trace::Stream::kEvents) return;
    const Result<trace::Event> event = trace::ParseEvent(record.body);
    if (!event) return;
    if (const auto* spawn = std::get_if<trace::SpawnEvent>(&*event); spawn && plugin.empty()) {
      plugin = proxy::PluginName(spawn->argv);
    }
    if (const auto* status = std::get_if<ExitStatus>(&*event)) {
      exit = trace::Describe(*event);
      odd_exit = status->code != 0 || status->signal != 0;
      crashed = IsFault(status->signal);
    }
    if (std::holds_alternative<trace::CannotStartEvent>(*event)) cannot_start = true;
    if (const auto* end = std::get_if<trace::EndEvent>(&*event)) next = end->next;
  }
  bool stop() const override { return records_ >= most_records_; }

  int64_t start_ns = 0, last_ns = 0;
  std::string plugin, exit, next;
  bool odd_exit = false, crashed = false, cannot_start = false;

 private:
  const size_t most_records_;
  size_t records_ = 0;
};

// Notes and counts.
class SummaryCounts : public TraceListener {
 public:
  SummaryCounts(const wire::Dialect* dialect, SummaryNotes* notes)
      : tally(dialect), notes_(notes) {}
  void OnRecord(const trace::Record& record) override {
    notes_->OnRecord(record);
    tally.OnRecord(record);
  }
  void OnSection() override { tally.OnSection(); }
  void OnDamage(const trace::Damage& damage) override { tally.OnDamage(damage); }

  TallyListener tally;

 private:
  SummaryNotes* const notes_;
};

// A tape that is in memory.
class BytesSource : public trace::Source {
 public:
  explicit BytesSource(std::string bytes) : bytes_(std::move(bytes)) {}
  Result<size_t> Read(char* to, size_t size) override {
    const size_t count = std::min(size, bytes_.size() - at_);
    std::memcpy(to, bytes_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

// The whole blocks at the end of these bytes. Each ends with its length. "": there are none, as the
// tape is cut off or has another byte order.
std::string_view LastBlocks(std::string_view bytes) {
  size_t start = bytes.size();
  for (int i = 0; i < kTailBlocks && start >= kLeastBlock; ++i) {
    uint32_t length = 0, again = 0;
    std::memcpy(&length, bytes.data() + start - 4, 4);
    if (length < kLeastBlock || length > start || length % 4 != 0) break;
    std::memcpy(&again, bytes.data() + start - length + 4, 4);
    if (again != length) break;
    start -= length;
  }
  return bytes.substr(start);
}

// False: the tape has no readable end.
bool NoteTail(int fd, uint64_t size, SummaryNotes* notes) {
  std::string bytes(std::min<uint64_t>(size, kTailBytes), '\0');
  const ssize_t count =
      pread(fd, bytes.data(), bytes.size(), static_cast<off_t>(size - bytes.size()));
  if (count != static_cast<ssize_t>(bytes.size())) return false;
  const std::string_view blocks = LastBlocks(bytes);
  if (blocks.empty()) return false;
  std::string tape;
  trace::AppendTapeStart(&tape);
  tape += blocks;
  auto reader = trace::OpenTrace(std::make_unique<BytesSource>(std::move(tape)));
  if (!reader) return false;
  bool ended = false;
  trace::Record record;
  while (true) {
    const Result<trace::Step> step = (*reader)->Next(&record);
    if (!step || *step == trace::Step::kWait) return ended;
    if (*step != trace::Step::kRecord) continue;
    notes->OnRecord(record);
    ended =
        record.stream == trace::Stream::kEvents && record.body.find("\"end\"") != record.body.npos;
  }
}

ListedSession::Counts CountsOf(const trace::Tally& tally) {
  ListedSession::Counts counts;
  for (const trace::DirectionTally& direction : tally.directions) {
    counts.messages += direction.messages;
    counts.failed += direction.failed;
    counts.unanswered += direction.unanswered;
  }
  return counts;
}

bool IsRunning(int fd, const io::StoredFile& file) {
  return io::HasWriter(fd).value_or(file.is_open);
}

}  // namespace

const wire::Dialect* TapeSummarizer::DialectOf(const std::string& path) {
  const Result<trace::Detection> detection = DetectTrace(path);
  if (!detection || detection->dialect == nullptr) return nullptr;
  const std::string name = detection->name();
  const auto known = dialects_.find(name);
  if (known != dialects_.end()) return known->second.get();
  Result<wire::Dialect> dialect = LoadNamedDialect(name, /*strict=*/false);
  auto& kept = dialects_[name];
  if (dialect) kept = std::make_unique<wire::Dialect>(std::move(*dialect));
  return kept.get();
}

ListedSession TapeSummarizer::Summarize(const io::StoredFile& file, bool count) {
  ListedSession session;
  session.file = file.path;
  session.bytes = file.size;
  const int fd = open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return session;
  // The descriptor names this very file, whatever has its name now.
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  SummaryNotes notes(count ? SIZE_MAX : kStartRecords);
  bool ended = false, spawned = false;
  if (count) {
    SummaryCounts counts(DialectOf(path), &notes);
    const Result<ReadOutcome> outcome = ReadTrace(path, /*follow=*/false, &counts);
    if (outcome) {
      ended = outcome->ended;
      spawned = outcome->spawned;
      session.counts = CountsOf(counts.tally.Finish(*outcome));
    }
  } else if (ReadTrace(path, /*follow=*/false, &notes)) {
    spawned = true;
    ended = NoteTail(fd, file.size, &notes);
    // The last write is at most a moment after the last record.
    if (!ended) notes.last_ns = std::max(notes.last_ns, file.modified_ns);
  }
  session.plugin = notes.plugin;
  session.start_ns = notes.start_ns;
  session.duration_ns = notes.last_ns - notes.start_ns;
  session.exit = notes.exit;
  session.odd_exit = notes.odd_exit;
  session.crashed = notes.crashed;
  if (notes.cannot_start) {
    session.end = End::kNotStarted;
  } else if (ended) {
    session.end = !notes.next.empty()  ? End::kContinued
                  : notes.exit.empty() ? End::kUnknown
                                       : End::kExit;
  } else if (IsRunning(fd, file)) {
    session.end = End::kRunning;
  } else if (spawned) {
    session.end = End::kCutOff;
  }
  close(fd);
  return session;
}

}  // namespace midwire::tools
