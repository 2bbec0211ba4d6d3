#include "tools/viewing/event_stream.h"

#include <algorithm>
#include <utility>

#include "io/clock.h"

namespace midwire::tools {
namespace {

constexpr int64_t kListNs = 1'000'000'000;
constexpr int64_t kCommentNs = 15'000'000'000;

}  // namespace

std::string EventText(std::string_view name, std::string_view data, std::string_view id) {
  std::string text;
  if (!id.empty()) text.append("id: ").append(id).append("\n");
  return text.append("event: ").append(name).append("\ndata: ").append(data).append("\n\n");
}

EventStream::EventStream(const SessionsList* list, std::shared_ptr<OpenedTrace> trace, size_t row,
                         size_t base, size_t* pages)
    : list_(list), trace_(std::move(trace)), row_(row), base_(base), pages_(pages) {
  ++*pages_;
}

std::string EventStream::Take() {
  std::string out;
  const int64_t now = io::MonotonicNow();
  if (!std::exchange(opened_, true)) out += ": open\n\n";
  if (list_->version() != list_version_ && now >= list_at_) {
    list_version_ = list_->version();
    list_at_ = now + kListNs;
    out += EventText("sessions", list_->json());
  }
  if (trace_ != nullptr && !reset_) {
    if (trace_->stale() || row_ > trace_->rows() || base_ > row_) {
      reset_ = true;
      out += EventText("reset", "{}");
    } else {
      AddRows(&out);
    }
  }
  if (out.empty() && now >= comment_at_) out = ": here\n\n";
  if (!out.empty()) comment_at_ = now + kCommentNs;
  return out;
}

void EventStream::AddRows(std::string* out) {
  AddSession(out);
  const view::PageIndex& index = trace_->index();
  const size_t from = row_;
  size_t to = std::min(trace_->rows(), row_ + kMaxRows);
  // A page must know a session before its rows come.
  for (const view::PageSession& session : index.sessions) {
    if (session.first > row_) to = std::min<size_t>(to, session.first);
  }
  if (to > row_) {
    const view::PagePiece piece = {
        .from = row_, .to = to, .live = true, .now_ns = trace_->now_ns()};
    *out += EventText("rows", view::RowsEvent(index, piece, base_), std::to_string(to));
    row_ = to;
  }
  AddFlags(out);
  const bool all = row_ == trace_->rows() && flagged_ == index.rows.flagged().size();
  if (to == from && all && trace_->ended() && !std::exchange(ended_, true)) {
    *out += EventText("end", "{}");
  }
}

// Rows that come later have their flags with them. A page may know some of these already: they may
// have come between its index and its stream.
void EventStream::AddFlags(std::string* out) {
  const view::PageIndex& index = trace_->index();
  const size_t to = std::min(index.rows.flagged().size(), flagged_ + kMaxRows);
  const std::string data = view::FlagsEvent(index, flagged_, to, base_, row_);
  if (!data.empty()) *out += EventText("flags", data);
  flagged_ = to;
}

// The session of the next row, or the last one: if something of it has changed.
void EventStream::AddSession(std::string* out) {
  const view::PageIndex& index = trace_->index();
  const view::PageSession* current = &index.sessions.front();
  for (const view::PageSession& session : index.sessions) {
    if (session.first <= row_) current = &session;
  }
  std::string json = view::SessionEvent(index, *current, base_);
  if (json == session_) return;
  session_ = std::move(json);
  *out += EventText("session", session_);
}

}  // namespace midwire::tools
