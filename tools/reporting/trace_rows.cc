#include "tools/reporting/trace_rows.h"

#include <algorithm>
#include <utility>

#include "proxy/plugin_name.h"
#include "tools/reporting/row_text.h"
#include "trace/log_note.h"
#include "view/text/printer.h"
#include "wire/outcome/fault.h"

namespace midwire::tools {
namespace {

using trace::RecordedMessage;
using view::RowKind;
using wire::Kind;

constexpr RowKind RowKindOf(Kind kind) { return static_cast<RowKind>(kind); }
static_assert(RowKindOf(Kind::kRequest) == RowKind::kRequest);
static_assert(RowKindOf(Kind::kInvalid) == RowKind::kInvalid);

// `body`: JSON, or "".
bool IsVolatile(const wire::Dialect& dialect, std::string_view method, std::string_view body) {
  return std::any_of(dialect.volatile_methods.begin(), dialect.volatile_methods.end(),
                     [&](const wire::MethodScope& scope) {
                       return scope.OfMethod(method) &&
                              (scope.members.empty() || (!body.empty() && scope.HasMembers(body)));
                     });
}

}  // namespace

TraceRows::TraceRows(std::string name, const wire::Dialect* dialect, view::RowId first,
                     RowSink* sink)
    : name_(std::move(name)),
      dialect_(dialect),
      sink_(sink),
      next_(first),
      facts_(dialect),
      links_(dialect),
      session_(this) {
  if (dialect != nullptr) session_.Expect(dialect->framing);
  sessions_.push_back({.trace = name_, .first = first});
}

void TraceRows::OnRecord(const trace::Record& record) {
  if (start_ns_ == 0 && record.time_ns != 0) {
    start_ns_ = record.time_ns;
    session()->start_ns = start_ns_;
  }
  if (record.time_ns != 0) session()->duration_ns = record.time_ns - start_ns_;
  session_.OnRecord(record);
  session()->ended = session_.ended();
  session()->end = next_;
}

void TraceRows::OnSection() {
  session_.OnSection();
  EndSession();
  start_ns_ = 0;
  sessions_.push_back({.trace = name_, .first = next_});
}

void TraceRows::EndSession() {
  EndStderr();
  links_.OnSessionEnd();
  facts_.OnSessionEnd();
  closed_[0] = closed_[1] = false;
  session()->end = next_;
}

void TraceRows::Finish() {
  session_.OnEnd();
  EndSession();
}

void TraceRows::OnDamage(const trace::Damage& damage) {
  session_.OnGap();
  const std::string text =
      std::to_string(damage.bytes) + " bytes at " + damage.Place() + ": " + damage.reason;
  TraceRow row;
  row.row.kind = RowKind::kDamage;
  row.row.at_ns = session()->duration_ns;
  row.row.label = text;
  Add(&row);
}

void TraceRows::AddMessage(const RecordedMessage& recorded, const Facts& facts, TraceRow* row) {
  const wire::Message& message = *recorded.message;
  view::PageRow& to = row->row;
  const std::string_view method = view::MethodOf(recorded);
  to.kind = RowKindOf(message.kind);
  to.direction = recorded.direction == wire::Direction::kHostToPlugin ? 0 : 1;
  to.number = recorded.number;
  to.at_ns = AtOf(recorded.time_ns);
  to.method = method;
  to.id = message.id.present() ? std::string_view(message.id.token) : std::string_view();
  row->id = &message.id;
  row->latency_ns = view::LatencyOf(recorded);
  row->failed = facts.failed;
  if (message.IsAnswer() && !recorded.request) to.flags |= view::kOrphanRow;
  const CallLinks::Links links = links_.OnMessage(next_, recorded, method, facts_.body());
  to.request = links.request;
  to.parent = links.parent;
  to.label = facts.label;
  to.failure = facts.failure;
  if (facts.failed) to.flags |= view::kFailedRow;
  if (dialect_ != nullptr && message.kind == Kind::kNotification &&
      IsVolatile(*dialect_, method, facts_.body())) {
    to.flags |= view::kVolatileRow;
  }
  std::string failure;
  if (message.kind == Kind::kError) {
    to.code = message.error_code;
    to.error = message.error_message;
    failure = FailureOf(message);
    to.failure = failure;
  }
  Add(row);
  if (links.cancelled != view::kNoRow) sink_->OnFlags(links.cancelled, view::kCancelledRow);
}

void TraceRows::OnMessage(const RecordedMessage& recorded) {
  const wire::Frame& frame = *recorded.frame;
  const Facts facts = facts_.OnMessage(recorded);
  rows_.resize(recorded.number, view::kNoRow);
  rows_.back() = next_;
  TraceRow row;
  row.bytes = frame.bytes;
  row.text = frame.body();
  row.row.size = frame.size;
  row.row.header = frame.body_offset;
  row.row.body = frame.body_size;
  std::string remarks;
  view::AppendRemarks(recorded, &remarks);
  row.row.remarks = remarks;
  AddMessage(recorded, facts, &row);
}

void TraceRows::OnElement(const RecordedMessage& recorded) {
  TraceRow row;
  row.row.flags = view::kElementRow;
  AddMessage(recorded, facts_.OnElement(recorded), &row);
}

void TraceRows::OnJunk(const trace::RecordedJunk& recorded) {
  TraceRow row;
  row.bytes = row.text = recorded.junk->bytes;
  row.row.kind = RowKind::kJunk;
  row.row.direction = recorded.direction == wire::Direction::kHostToPlugin ? 0 : 1;
  row.row.at_ns = AtOf(recorded.time_ns);
  row.row.label = wire::Name(recorded.junk->reason);
  row.row.size = recorded.junk->size;
  Add(&row);
}

void TraceRows::OnEvent(int64_t time_ns, const trace::Event& event) {
  EndStderr();
  if (const auto* spawn = std::get_if<trace::SpawnEvent>(&event)) {
    session()->title = proxy::PluginName(spawn->argv);
    session()->command = CommandLine(spawn->argv);
    session()->cwd = spawn->cwd;
  } else if (const auto* exit = std::get_if<ExitStatus>(&event)) {
    if (!session()->crashed) session()->exit = trace::Describe(event);
    session()->crashed = session()->crashed || IsFault(exit->signal);
  } else if (std::holds_alternative<trace::CannotStartEvent>(event)) {
    session()->exit = "cannot start";
    session()->crashed = true;
  } else if (trace::ReadLogNote(event)) {
    session()->log = std::get<trace::NoteEvent>(event).text;
  } else if (const auto* closed = std::get_if<trace::ClosedEvent>(&event)) {
    AddUnread(*closed);
  }
  const std::string text = trace::Describe(event);
  TraceRow row;
  row.row.kind = RowKind::kEvent;
  row.row.at_ns = AtOf(time_ns);
  row.row.label = text;
  Add(&row);
}

// A stream is closed once: a trace that repeats it is not searched again and again.
void TraceRows::AddUnread(const trace::ClosedEvent& closed) {
  if (closed.first_unread == 0 || closed.first_unread > rows_.size()) return;
  const uint8_t direction = closed.stream == wire::Name(wire::Direction::kHostToPlugin) ? 0 : 1;
  if (std::exchange(closed_[direction], true)) return;
  sink_->OnUnread(rows_[closed.first_unread - 1], closed.last_unread, direction);
}

void TraceRows::OnStderr(int64_t time_ns, std::string_view bytes) {
  stderr_.Add(time_ns, bytes,
              [this](int64_t line_ns, std::string_view line) { AddStderr(line_ns, line); });
}

void TraceRows::EndStderr() {
  stderr_.End([this](int64_t line_ns, std::string_view line) { AddStderr(line_ns, line); });
}

void TraceRows::AddStderr(int64_t time_ns, std::string_view line) {
  TraceRow row;
  row.bytes = row.text = line;
  row.row.kind = RowKind::kStderr;
  row.row.at_ns = AtOf(time_ns);
  row.row.size = line.size();
  Add(&row);
}

}  // namespace midwire::tools
