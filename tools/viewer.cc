#include "tools/viewer.h"

#include <algorithm>

namespace midwire::tools {
namespace {

// A line of stderr longer than this is shown in pieces: it may never end.
constexpr size_t kMaxStderrLine = 64 * 1024;

size_t KeepBytes(const ViewOptions& options) {
  const bool text = options.filter != nullptr && options.filter->needs_text();
  // Otherwise enough for junk, which a line shows and --json has completely, unless it is a frame
  // that was cut off.
  return options.body || text ? wire::kKeepBytes : wire::kMaxUndecided;
}

// The size and the text of a batch are not those of an element.
trace::Line LineOf(const trace::RecordedMessage& recorded, view::At at, bool element) {
  const wire::Message& message = *recorded.message;
  trace::Line line;
  line.kind = wire::Name(message.kind);
  line.direction = recorded.direction;
  if (const std::string_view method = view::MethodOf(recorded); !method.empty())
    line.method = method;
  line.id = &message.id;
  line.number = recorded.number;
  line.latency_ns = view::LatencyOf(recorded);
  line.at_ns = at;
  line.error_code = message.error_code;
  if (message.kind == wire::Kind::kError) line.error = message.error_message;
  if (element) return line;
  line.size = recorded.frame->size;
  line.text = recorded.frame->body();
  return line;
}

}  // namespace

Viewer::Viewer(const ViewOptions& options, view::Printer* printer, Output* output)
    : options_(options), printer_(printer), output_(output), session_(this, KeepBytes(options)) {}

void Viewer::OnRecord(const trace::Record& record) {
  if (start_ns_ == 0) start_ns_ = record.time_ns;
  session_.OnRecord(record);
}

void Viewer::OnSection() {
  session_.OnSection();
  EndStderr();
  start_ns_ = 0;
}

void Viewer::OnDamage(const trace::Damage& damage) {
  session_.OnGap();
  printer_->Damage(damage);
  output_->Settle();
}

void Viewer::OnPause() { output_->Flush(); }

void Viewer::Finish() {
  session_.OnEnd();
  EndStderr();
}

view::At Viewer::AtOf(int64_t time_ns) const {
  return time_ns == 0 ? view::At() : view::At(time_ns - start_ns_);
}

bool Viewer::Wanted(const trace::RecordedMessage& recorded, bool element) const {
  return options_.filter == nullptr ||
         options_.filter->Matches(LineOf(recorded, AtOf(recorded.time_ns), element));
}

void Viewer::OnMessage(const trace::RecordedMessage& recorded) {
  if (!Wanted(recorded, /*element=*/false)) return;
  printer_->Message(AtOf(recorded.time_ns), recorded);
  output_->Settle();
}

void Viewer::OnElement(const trace::RecordedMessage& recorded) {
  if (!Wanted(recorded, /*element=*/true)) return;
  printer_->Element(AtOf(recorded.time_ns), recorded);
  output_->Settle();
}

void Viewer::OnJunk(const trace::RecordedJunk& recorded) {
  const view::At at = AtOf(recorded.time_ns);
  if (options_.filter != nullptr) {
    trace::Line line;
    line.kind = "junk";
    line.direction = recorded.direction;
    line.size = recorded.junk->size;
    line.at_ns = at;
    line.text = recorded.junk->bytes;
    if (!options_.filter->Matches(line)) return;
  }
  printer_->Junk(at, recorded);
  output_->Settle();
}

void Viewer::OnEvent(int64_t time_ns, const trace::Event& event) {
  const view::At at = AtOf(time_ns);
  EndStderr();
  if (options_.filter != nullptr) {
    trace::Line line;
    line.kind = "event";
    line.at_ns = at;
    if (!options_.filter->Matches(line)) return;
  }
  printer_->Event(at, time_ns, event);
  output_->Settle();
}

void Viewer::OnStderr(int64_t time_ns, std::string_view bytes) {
  if (!options_.stderr_lines) return;
  while (!bytes.empty()) {
    if (stderr_line_.empty()) stderr_ns_ = time_ns;
    const size_t newline = std::min(bytes.find('\n'), bytes.size());
    const size_t room = kMaxStderrLine - stderr_line_.size();
    const std::string_view piece = bytes.substr(0, std::min(newline, room));
    bytes.remove_prefix(piece.size());
    const bool ended = !bytes.empty() && bytes[0] == '\n';
    if (ended) bytes.remove_prefix(1);
    stderr_line_ += piece;
    if (!ended && stderr_line_.size() < kMaxStderrLine) return;
    PrintStderr(stderr_line_);
    stderr_line_.clear();
  }
}

void Viewer::PrintStderr(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const view::At at = AtOf(stderr_ns_);
  if (options_.filter != nullptr) {
    trace::Line asked;
    asked.kind = "stderr";
    asked.size = line.size();
    asked.at_ns = at;
    asked.text = line;
    if (!options_.filter->Matches(asked)) return;
  }
  printer_->StderrLine(at, line);
  output_->Settle();
}

void Viewer::EndStderr() {
  if (stderr_line_.empty()) return;
  PrintStderr(stderr_line_);
  stderr_line_.clear();
}

}  // namespace midwire::tools
