#include "tools/showing/viewer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "trace/log_note.h"

namespace midwire::tools {
namespace {

using Fate = view::Outcome::Fate;
using trace::RecordedMessage;

size_t KeepBytes(const ViewOptions& options, const FactReader& facts) {
  const bool text = options.filter != nullptr && options.filter->needs_text();
  // Otherwise enough for junk, which a line shows and --json has completely, unless it is a frame
  // that was cut off.
  const bool whole =
      options.body || text || facts.needs_bodies() || options.tree || options.late_head != nullptr;
  return whole ? wire::kKeepBytes : wire::kMaxUndecided;
}

view::Notes NotesOf(const Facts& facts) {
  return {.label = facts.label, .failed = facts.failed, .failure = facts.failure};
}

}  // namespace

Viewer::Viewer(const ViewOptions& options, view::Printer* printer, WaitingRows* rows,
               Output* output)
    : options_(options),
      printer_(printer),
      rows_(rows),
      output_(output),
      facts_(options.dialect),
      cancellations_(facts_.knows_cancels()),
      session_(this, KeepBytes(options, facts_)),
      passing_(options.passes_early || options.passes_below != 0),
      passed_(options.dialect) {
  if (options.dialect != nullptr) session_.Expect(options.dialect->framing);
  if (options.tree) tree_.emplace(options.dialect);
}

void Viewer::OnRecord(const trace::Record& record) {
  EraseFooter();
  if (start_ns_ == 0) start_ns_ = record.time_ns;
  last_ns_ = std::max(last_ns_, record.time_ns);
  has_times_ = has_times_ || record.time_ns != 0;
  has_dates_ = has_dates_ || record.time_ns >= view::kFirstDate;
  offset_ += record.head.size() + record.body.size() + kMostAround;
  if (passing_ && !IsPassed(record)) StopPassing();
  if (passed_all_) session_.OnRecord(record);
}

bool Viewer::IsPassed(const trace::Record& record) const {
  return offset_ < options_.passes_below ||
         (options_.passes_early && record.time_ns < options_.since_ns);
}

void Viewer::StopPassing() {
  passed_all_ = passed_all_ && passed_.HandOver(session_.exchanges(), &facts_, &cancellations_);
  passing_ = !passed_all_;
}

void Viewer::OnSection() {
  EraseFooter();
  session_.OnSection();
  EndSession();
  start_ns_ = last_ns_ = 0;
  of_log_ = false;
}

void Viewer::NoteCall(const RecordedMessage& recorded, const Facts& facts, uint64_t cancelled) {
  if (cancelled != 0) shown_calls_.Close(cancelled, facts.cancels);
  if (recorded.message->IsAnswer() && recorded.request) {
    shown_calls_.Close(recorded.request->number, recorded.request->id);
  }
}

void Viewer::PrintOpenCalls() {
  if (shown_calls_.count() != 0) {
    std::vector<uint64_t> numbers;
    for (const view::FooterCall& call : shown_calls_.Oldest(view::kMaxOpenNumbers)) {
      numbers.push_back(call.number);
    }
    printer_->OpenCalls(shown_calls_.count(), numbers);
  }
  shown_calls_.Clear();
}

void Viewer::EndSession() {
  EndStderr();
  if (options_.late_head != nullptr) options_.late_head->AtEnd(printer_);
  PrintOpenCalls();
  while (WaitingRow* row = rows_->First()) {
    const Fate open = row->never_read ? Fate::kNeverRead : Fate::kUnanswered;
    Unanswered(row, row->cancelled ? Fate::kCancelled : open);
  }
  facts_.OnSessionEnd();
  cancellations_.OnSessionEnd();
  passed_.OnSessionEnd();
  if (tree_) tree_->OnSessionEnd();
  if (options_.footer != nullptr) options_.footer->OnSessionEnd();
}

void Viewer::OnDamage(const trace::Damage& damage) {
  EraseFooter();
  session_.OnGap();
  printer_->Damage(damage);
  if (!passing_) return Settle();
  // Nothing may be written yet, so that the trace can be read again.
  const bool fits = options_.last != 0 ? !rows_->overfull() : rows_->few();
  passed_all_ = passed_all_ && fits;
}

void Viewer::OnPause() {
  if (!passed_all_) return;
  if (options_.live) rows_->Release();
  rows_->Flush();
  if (options_.footer != nullptr) options_.footer->OnPause();
}

bool Viewer::Finish() {
  EraseFooter();
  session_.OnEnd();
  EndSession();
  if (options_.passes_below != 0) {
    passed_all_ = passed_all_ && rows_->counts() >= 2 * options_.last && rows_->had_room();
  }
  if (passed_all_) rows_->WriteThrough();
  return passed_all_;
}

// Before anything is printed.
void Viewer::EraseFooter() {
  if (options_.footer != nullptr) options_.footer->Erase();
}

void Viewer::Settle() {
  while (rows_->overfull()) {
    WaitingRow* row = rows_->First();
    if (row == nullptr) break;
    Unanswered(row, Fate::kFar);
  }
  rows_->Settle();
}

view::At Viewer::AtOf(int64_t time_ns) const {
  return time_ns == 0 ? view::At() : view::At(time_ns - start_ns_);
}

view::At Viewer::ShownAt(int64_t time_ns) const {
  return options_.clock && time_ns >= view::kFirstDate ? view::At(time_ns) : AtOf(time_ns);
}

bool Viewer::InTime(int64_t time_ns) const {
  return options_.since_ns == 0 || time_ns >= options_.since_ns;
}

bool Viewer::Wanted(const trace::Line& line, int64_t time_ns) {
  const bool wanted =
      InTime(time_ns) && (options_.filter == nullptr || options_.filter->Matches(line));
  matched_ = matched_ || wanted;
  return wanted;
}

void Viewer::Decide(WaitingRow* row, bool shown, const view::Outcome& outcome) {
  matched_ = matched_ || shown;
  rows_->Decide(row, shown, printer_->Ending(row->remarks, outcome));
}

void Viewer::OnMessage(const RecordedMessage& recorded) {
  if (options_.late_head != nullptr) options_.late_head->Before(recorded, printer_);
  Message(recorded, /*element=*/false);
  if (options_.late_head == nullptr) return;
  options_.late_head->After(printer_);
  Settle();
}
void Viewer::OnElement(const RecordedMessage& recorded) { Message(recorded, /*element=*/true); }

void Viewer::Message(const RecordedMessage& recorded, bool element) {
  if (passing_) {
    number_ = recorded.number;
    passed_all_ = passed_all_ && passed_.OnMessage(recorded, session_.exchanges(), element);
    return;
  }
  const Facts facts = element ? facts_.OnElement(recorded) : facts_.OnMessage(recorded);
  number_ = recorded.number;
  const uint64_t cancelled = cancellations_.OnMessage(recorded, facts);
  if (options_.footer != nullptr) options_.footer->OnMessage(recorded, facts, cancelled, element);
  if (options_.live) NoteCall(recorded, facts, cancelled);
  if (cancelled != 0) {
    if (WaitingRow* row = rows_->Find(cancelled, facts.cancels)) row->cancelled = true;
  }
  view::Notes notes = NotesOf(facts);
  if (tree_) {
    const CallTree::Place place =
        tree_->OnMessage(recorded, view::MethodOf(recorded), facts_.body());
    notes.depth = place.depth;
    notes.parent = place.parent;
    notes.perhaps = place.perhaps;
  }
  const trace::Line line = LineOf(recorded, facts, AtOf(recorded.time_ns), element);
  const wire::Message& message = *recorded.message;
  if (message.kind == wire::Kind::kRequest && !options_.live) {
    return Wait(recorded, line, notes, element);
  }
  if (message.IsAnswer() && recorded.request && Answer(recorded, line, notes)) return;
  if (!Wanted(line, recorded.time_ns)) return;
  if (options_.live && message.kind == wire::Kind::kRequest) {
    shown_calls_.Open(recorded, facts.label);
  }
  const uint64_t begin = rows_->place();
  Print(recorded, notes, element);
  if (!element) rows_->Count(begin);
  Settle();
}

void Viewer::Print(const RecordedMessage& recorded, const view::Notes& notes, bool element) {
  const view::At at = ShownAt(recorded.time_ns);
  if (element) {
    printer_->Element(at, recorded, notes);
  } else {
    printer_->Message(at, recorded, notes);
  }
}

void Viewer::Wait(const RecordedMessage& recorded, const trace::Line& line, view::Notes notes,
                  bool element) {
  if (!InTime(recorded.time_ns)) return;
  const trace::Filter* const filter = options_.filter;
  // Only its answer shows whether such a row is wanted.
  const bool later = filter != nullptr && (filter->needs_answer() || options_.pair);
  if (filter != nullptr && !later && !filter->Matches(line)) return;
  WaitingRow row;
  row.begin = rows_->place();
  notes.open = true;
  Print(recorded, notes, element);
  row.end = rows_->place();
  row.open_at = row.end - rows_->text()->size() + printer_->open_at();
  row.remarks = printer_->remarks();
  row.number = recorded.number;
  row.direction = recorded.direction;
  if (element) row.id = recorded.message->id.token;
  row.time_ns = recorded.time_ns;
  row.counts = !element;
  if (later) row.line = std::make_unique<KeptLine>(line, filter->needs_text());
  rows_->Wait(std::move(row));
  Settle();
}

bool Viewer::Answer(const RecordedMessage& recorded, const trace::Line& line,
                    const view::Notes& notes) {
  WaitingRow* const row = rows_->Find(recorded.request->number, recorded.request->id);
  if (row == nullptr) return false;
  view::Outcome outcome;
  bool shown = row->line == nullptr || row->line->Matches(*options_.filter, line.latency_ns,
                                                          std::nullopt, /*unanswered=*/false);
  if (options_.pair) {
    shown = shown || Wanted(line, recorded.time_ns);
    outcome.answer = &recorded;
    outcome.notes = &notes;
    outcome.at = ShownAt(recorded.time_ns);
  }
  Decide(row, shown, outcome);
  if (options_.pair) Settle();
  return options_.pair;
}

void Viewer::Unanswered(WaitingRow* row, Fate fate) {
  view::Outcome outcome{.fate = fate, .of_log = of_log_, .messages = number_ - row->number};
  if (row->time_ns != 0 && last_ns_ != 0) outcome.open_ns = last_ns_ - row->time_ns;
  const bool shown =
      row->line == nullptr || row->line->Matches(*options_.filter, std::nullopt, outcome.open_ns,
                                                 /*unanswered=*/fate != Fate::kCancelled);
  Decide(row, shown, outcome);
}

void Viewer::OnJunk(const trace::RecordedJunk& recorded) {
  if (passing_) return;
  if (!Wanted(LineOf(recorded, AtOf(recorded.time_ns)), recorded.time_ns)) return;
  printer_->Junk(ShownAt(recorded.time_ns), recorded);
  Settle();
}

void Viewer::OnEvent(int64_t time_ns, const trace::Event& event) {
  EndStderr();
  if (passing_) return;
  if (const auto* const closed = std::get_if<trace::ClosedEvent>(&event)) {
    const bool to_plugin = closed->stream == wire::Name(wire::Direction::kHostToPlugin);
    if (closed->first_unread != 0) {
      rows_->NeverRead(closed->first_unread, closed->last_unread,
                       to_plugin ? wire::Direction::kHostToPlugin : wire::Direction::kPluginToHost);
    }
  }
  if (trace::ReadLogNote(event)) of_log_ = true;
  trace::Line line;
  line.kind = "event";
  line.at_ns = AtOf(time_ns);
  if (!Wanted(line, time_ns)) return;
  printer_->Event(ShownAt(time_ns), time_ns, event);
  Settle();
}

void Viewer::OnStderr(int64_t time_ns, std::string_view bytes) {
  if (!options_.stderr_lines) return;
  stderr_.Add(time_ns, bytes,
              [this](int64_t line_ns, std::string_view line) { PrintStderr(line_ns, line); });
}

void Viewer::PrintStderr(int64_t time_ns, std::string_view line) {
  if (passing_) return;
  trace::Line asked;
  asked.kind = "stderr";
  asked.size = line.size();
  asked.at_ns = AtOf(time_ns);
  asked.text = line;
  if (!Wanted(asked, time_ns)) return;
  printer_->StderrLine(ShownAt(time_ns), line);
  Settle();
}

void Viewer::EndStderr() {
  stderr_.End([this](int64_t line_ns, std::string_view line) { PrintStderr(line_ns, line); });
}

}  // namespace midwire::tools
