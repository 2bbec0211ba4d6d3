#include "tools/viewing/sessions_list.h"

#include <utility>

#include "io/clock.h"
#include "view/page/strings.h"
#include "wire/json/writer.h"

namespace midwire::tools {
namespace {

constexpr int64_t kScanNs = 1'000'000'000;

}  // namespace

SessionCounter::SessionCounter(OpenFile file) : feed_(std::move(file)) {
  Result<ChosenDialect> chosen = ChooseDialect("", {feed_.file().path()}, /*strict=*/false);
  if (chosen) dialect_ = std::move(*chosen);
  rows_ = std::make_unique<TraceRows>("", dialect_.dialect.get(), 0, static_cast<RowSink*>(this));
}

bool SessionCounter::Read(int64_t deadline_ns) { return feed_.Read(deadline_ns, rows_.get()); }

void SessionCounter::OnRow(view::RowId, const TraceRow& row) {
  const view::PageRow& page = row.row;
  if (page.kind >= view::RowKind::kJunk) return;
  if ((page.flags & view::kElementRow) == 0) ++messages_;
  if ((page.flags & view::kFailedRow) != 0) ++failed_;
  if (page.kind == view::RowKind::kRequest) ++requests_;
  if (page.request == view::kNoRow) return;
  ++answers_;
  cancelled_.erase(page.request);
}

// A call that was cancelled needs no answer.
void SessionCounter::OnFlags(view::RowId id, uint8_t flags) {
  if ((flags & view::kCancelledRow) != 0) cancelled_.insert(id);
}

SessionSummary SessionCounter::summary() const {
  const view::PageSession& session = rows_->sessions()->back();
  return {.counted = true,
          .live = feed_.live(),
          .title = session.title,
          .exit = session.exit,
          .crashed = session.crashed,
          .start_ns = session.start_ns,
          .duration_ns = session.duration_ns,
          .messages = messages_,
          .failed = failed_,
          .open = requests_ - std::min(requests_, answers_ + cancelled_.size())};
}

void SessionsList::Read(int64_t deadline_ns) {
  const int64_t now = io::MonotonicNow();
  if (now >= scan_at_) {
    scan_at_ = now + kScanNs;
    files_.Scan();
    std::erase_if(known_, [&](const auto& known) { return files_.Find(known.first) == nullptr; });
  }
  size_t counters = 0;
  const size_t most = std::min(files_.files().size(), kMaxSummaries);
  for (size_t i = 0; i < most; ++i) {
    const TraceFile& file = files_.files()[i];
    if (file.size > kMaxCounted) continue;
    if (!Count(file, deadline_ns, &counters)) break;
  }
  Write();
}

// False: the time is over.
bool SessionsList::Count(const TraceFile& file, int64_t deadline_ns, size_t* counters) {
  Known& known = known_[file.id];
  const bool same = known.file.IsSameAs(file) && file.size >= known.file.size;
  if (!same || (known.counter != nullptr && known.counter->truncated())) known = {};
  const bool changed = file.size != known.file.size || file.modified_ns != known.file.modified_ns;
  if (known.counter == nullptr) {
    if (!changed && known.summary.counted) return true;
    OpenFile opened = files_.Open(file);
    if (!opened.ok()) return true;
    known.counter = std::make_unique<SessionCounter>(std::move(opened));
  }
  const bool all = known.counter->Read(deadline_ns);
  if (!all) return false;
  known.file = file;
  known.summary = known.counter->summary();
  if (known.counter->done() || ++*counters > kMaxCounters) known.counter.reset();
  return io::MonotonicNow() < deadline_ns;
}

void SessionsList::Write() {
  std::string text;
  wire::JsonWriter json(&text);
  json.Open('{');
  json.Key("folder").Text(view::PageText(files_.folder()));
  if (once_) json.Key("once").Bool(true);
  json.Key("traces").Open('[');
  for (const TraceFile& file : files_.files()) {
    json.Open('{');
    json.Key("id").Text(file.id);
    json.Key("name").Text(view::PageText(file.name));
    json.Key("size").Number(file.size);
    const auto found = known_.find(file.id);
    if (found != known_.end() && found->second.summary.counted) {
      const SessionSummary& summary = found->second.summary;
      if (!summary.title.empty()) json.Key("title").Text(view::PageText(summary.title));
      if (summary.start_ns != 0) {
        json.Key("start").Text(std::to_string(summary.start_ns));
        json.Key("duration").Number(summary.duration_ns);
      }
      json.Key("messages").Number(summary.messages);
      json.Key("failed").Number(summary.failed);
      json.Key("open").Number(summary.open);
      json.Key("live").Bool(summary.live);
      if (!summary.exit.empty()) json.Key("exit").Text(view::PageText(summary.exit));
      if (summary.crashed) json.Key("crashed").Bool(true);
    }
    json.Close('}');
  }
  json.Close(']');
  if (files_.more() > 0) json.Key("more").Number(files_.more());
  json.Close('}');
  if (text == json_) return;
  json_ = std::move(text);
  ++version_;
}

}  // namespace midwire::tools
