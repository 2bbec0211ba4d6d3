// Connects the session model with a printer: decides which lines of the timeline are shown, and the
// time of each since the session began. Called by commands/show. Prints nothing itself, reads no
// file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tools/output.h"
#include "tools/read_trace.h"
#include "tools/reporting/facts.h"
#include "tools/showing/call_tree.h"
#include "tools/showing/cancellations.h"
#include "tools/showing/late_head.h"
#include "tools/showing/live_footer.h"
#include "tools/showing/open_calls.h"
#include "tools/showing/passed_calls.h"
#include "tools/showing/waiting_rows.h"
#include "trace/filter.h"
#include "trace/session.h"
#include "view/text/printer.h"
#include "view/text/stderr_lines.h"

namespace midwire::tools {

// What a file has around the bytes of a record: more than the blocks of a tape, and than the lines
// of a cassette except for their escapes.
inline constexpr uint64_t kMostAround = 100;

struct ViewOptions {
  bool body = false;  // bodies are printed, so keep them
  bool stderr_lines = false;
  bool live = false;     // rows are shown at once: requests do not wait for their answers
  bool pair = false;     // an answer is shown beside its request
  bool tree = false;     // calls that are made during other ones are indented
  bool clock = false;    // the printer shows times of day
  int64_t since_ns = 0;  // Unix time; rows before it are not shown
  // Of a trace that can be read again: what comes before the first record from since_ns on, or
  // before about this offset in the file, is read without being rendered. From the offset on are
  // probably more than twice the `last` messages that are shown.
  bool passes_early = false;
  uint64_t passes_below = 0, last = 0;
  const wire::Dialect* dialect = nullptr;  // nullptr: none; outlives the viewer
  trace::Filter* filter = nullptr;         // nullptr: everything
  LiveFooter* footer = nullptr;            // nullptr: none
  LateHead* late_head = nullptr;           // nullptr: the head is known, or not wanted
};

class Viewer : public TraceListener, private trace::SessionHandler {
 public:
  // The printer writes to `rows`, and these to `output`.
  Viewer(const ViewOptions& options, view::Printer* printer, WaitingRows* rows, Output* output);

  void OnRecord(const trace::Record& record) override;
  void OnSection() override;
  void OnNextTrace() override { session_.RestartNumbers(); }
  void OnDamage(const trace::Damage& damage) override;
  void OnPause() override;
  bool stop() const override { return !output_->good() || !passed_all_; }
  // The trace has ended: prints what is pending. False: what was passed over has to be known, so
  // that nothing was written; read the trace again with another viewer and passes_early = false,
  // passes_below = 0.
  bool Finish();
  bool has_times() const { return has_times_; }
  bool has_dates() const { return has_dates_; }
  bool matched() const { return matched_; }

 private:
  void OnMessage(const trace::RecordedMessage& recorded) override;
  void OnElement(const trace::RecordedMessage& recorded) override;
  void OnJunk(const trace::RecordedJunk& recorded) override;
  void OnStderr(int64_t time_ns, std::string_view bytes) override;
  void OnEvent(int64_t time_ns, const trace::Event& event) override;

  view::At AtOf(int64_t time_ns) const;
  // As the printer takes it.
  view::At ShownAt(int64_t time_ns) const;
  bool Wanted(const trace::Line& line, int64_t time_ns);
  bool InTime(int64_t time_ns) const;
  void Message(const trace::RecordedMessage& recorded, bool element);
  // Of a request: prints its row, which waits.
  void Wait(const trace::RecordedMessage& recorded, const trace::Line& line, view::Notes notes,
            bool element);
  // Ends the row of the request. Returns whether the answer is shown there.
  bool Answer(const trace::RecordedMessage& recorded, const trace::Line& line,
              const view::Notes& notes);
  void Unanswered(WaitingRow* row, view::Outcome::Fate fate);
  void Decide(WaitingRow* row, bool shown, const view::Outcome& outcome);
  void Print(const trace::RecordedMessage& recorded, const view::Notes& notes, bool element);
  bool IsPassed(const trace::Record& record) const;
  void StopPassing();
  void EndSession();
  // Of a timeline that is followed, whose rows do not wait.
  void NoteCall(const trace::RecordedMessage& recorded, const Facts& facts, uint64_t cancelled);
  void PrintOpenCalls();
  void PrintStderr(int64_t time_ns, std::string_view line);
  void EndStderr();
  void EraseFooter();
  void Settle();

  const ViewOptions options_;
  view::Printer* printer_;
  WaitingRows* const rows_;
  Output* output_;
  FactReader facts_;
  Cancellations cancellations_;
  std::optional<CallTree> tree_;
  OpenCalls shown_calls_;  // live: calls with a row that have no answer yet
  trace::Session session_;
  int64_t start_ns_ = 0;  // 0: no record with a time yet
  int64_t last_ns_ = 0;
  uint64_t number_ = 0;  // of the latest message
  bool has_times_ = false, has_dates_ = false;
  bool matched_ = false;  // the filter, and since_ns, let at least one row through
  bool of_log_ = false;   // the session was made from a log
  view::StderrLines stderr_;
  bool passing_;            // what is read now is not shown
  bool passed_all_ = true;  // passed_ knows all that is needed of it
  uint64_t offset_ = 0;     // about, in the file; not less than it is
  PassedCalls passed_;
};

}  // namespace midwire::tools
