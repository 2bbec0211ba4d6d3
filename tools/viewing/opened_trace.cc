#include "tools/viewing/opened_trace.h"

#include <algorithm>
#include <utility>

#include "io/clock.h"
#include "trace/dialect/detect.h"
#include "view/text/append.h"

namespace midwire::tools {
namespace {

// The text of a line of stderr or of junk, as the list shows it (DATA.md).
constexpr size_t kMaxLine = 300;
// Of all of them.
constexpr uint64_t kMaxLines = 256u << 20;

}  // namespace

OpenedTrace::OpenedTrace(TraceFile file, OpenFile opened)
    : file_(std::move(file)), feed_(std::move(opened)) {
  index_.version = MIDWIRE_VERSION;
  Choose();
  reader_ = std::make_unique<TraceRows>(file_.name, dialect_.dialect.get(), 0,
                                        static_cast<RowSink*>(this));
}

// The dialect may be known only after some messages.
void OpenedTrace::Choose() {
  Result<ChosenDialect> chosen = ChooseDialect("", {feed_.file().path()}, /*strict=*/false);
  if (!chosen) return;  // it is empty
  if (reader_ == nullptr) {
    dialect_ = std::move(*chosen);
  } else if (chosen->name != dialect_.name || chosen->head.revision != dialect_.head.revision) {
    stale_ = true;
  }
  settled_ =
      dialect_.dialect != nullptr && (dialect_.dialect->revisions.empty() || dialect_.head.agreed);
}

bool OpenedTrace::Read(int64_t deadline_ns) {
  if (full_ || stale()) return true;
  const uint64_t before = messages_;
  const bool all = feed_.Read(deadline_ns, reader_.get());
  if (finished_ && feed_.grown()) stale_ = true;  // it went on after its end
  if (all && messages_ != before && before <= trace::Opening::kMessages && !settled_) Choose();
  if (all && feed_.ended()) Finish();
  return all;
}

void OpenedTrace::Finish() {
  if (!std::exchange(finished_, true)) reader_->Finish();
}

void OpenedTrace::OnRow(view::RowId id, const TraceRow& row) {
  if (index_.rows.count() >= kMaxRows) {
    full_ = true;
    return;
  }
  view::PageRow added = row.row;
  const bool message = added.kind < view::RowKind::kJunk;
  if (message && (added.flags & view::kElementRow) == 0) ++messages_;
  std::string line;
  if ((added.kind == view::RowKind::kStderr || added.kind == view::RowKind::kJunk) &&
      labels_ < kMaxLines) {
    line = view::PageText(row.bytes.substr(0, kMaxLine), kMaxLine);
    labels_ += line.size();
    added.label = line;
  }
  uint64_t offset = offsets_.empty() ? 0 : offsets_.back();
  if (trouble_.empty()) {
    const Result<uint64_t> stored = store_.Add(row.bytes);
    if (stored) {
      offset = *stored;
      added.kept = row.bytes.size();
    } else {
      trouble_ = stored.error().Text();
    }
  }
  offsets_.push_back(offset);
  index_.rows.Add(id, added);
}

int64_t OpenedTrace::now_ns() const {
  const view::PageSession& session = reader_->sessions()->back();
  if (session.start_ns == 0) return 0;
  if (!live()) return session.duration_ns;
  return std::max(session.duration_ns, io::SystemClock().UnixNs() - session.start_ns);
}

const view::PageIndex& OpenedTrace::index() {
  index_.sessions = *reader_->sessions();
  for (view::PageSession& session : index_.sessions) {
    if (dialect_.dialect == nullptr) continue;
    session.dialect = dialect_.head.dialect;
    session.revision = dialect_.head.revision;
    session.sureness = dialect_.head.sureness;
  }
  index_.sessions.back().end = reader_->next_row();
  index_.notes.clear();
  if (!feed_.failure().empty()) index_.notes.push_back(feed_.failure());
  if (const uint64_t damaged = feed_.damaged_bytes(); damaged > 0) {
    index_.notes.push_back(view::Grouped(damaged) + " bytes could not be read; the rest is shown");
  }
  if (!feed_.next().empty()) {
    index_.notes.push_back("the recording continues in " + feed_.next());
  }
  if (full_) {
    index_.notes.push_back("only the first " + view::Grouped(kMaxRows) +
                           " rows are shown; use: midwire show --where");
  }
  if (!trouble_.empty()) index_.notes.push_back(trouble_);
  return index_;
}

std::string OpenedTrace::Piece(int64_t from, int64_t count) {
  const auto total = static_cast<int64_t>(rows());
  if (from < 0) from = std::max<int64_t>(0, total + from);
  from = std::min(from, total);
  const int64_t to = from + std::min(count, total - from);
  (void)index();
  index_.handles = reader_->links()->Handles();
  std::string json = view::PieceJson(index_, {.from = static_cast<size_t>(from),
                                              .to = static_cast<size_t>(to),
                                              .live = live(),
                                              .now_ns = now_ns()});
  index_.handles.clear();
  return json;
}

OpenedTrace::Bytes OpenedTrace::BytesOf(int64_t row, int64_t count) {
  const auto total = static_cast<int64_t>(rows());
  if (row >= total || count > total - row) return {404, "no such row\n"};
  const auto first = static_cast<size_t>(row), last = static_cast<size_t>(row + count - 1);
  const uint64_t from = offsets_[first];
  const uint64_t size = offsets_[last] + index_.rows.kept(last) - from;
  if (size > kMaxAnswer) return {413, "too many bytes: ask for fewer rows\n"};
  const Result<std::string_view> bytes = store_.Get(from, size);
  if (!bytes) return {500, bytes.error().Text() + "\n"};
  return {200, std::string(*bytes)};
}

}  // namespace midwire::tools
