// Turns a trace, as ReadTrace reads it, into the rows of a page and its sessions: numbers, times,
// labels, failures, what belongs together. Called by report and view. Keeps no bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/read_trace.h"
#include "tools/reporting/call_links.h"
#include "tools/reporting/facts.h"
#include "tools/reporting/row_sink.h"
#include "trace/report/session_head.h"
#include "trace/session.h"
#include "view/page/index.h"
#include "view/text/stderr_lines.h"

namespace midwire::tools {

class TraceRows : public TraceListener, private trace::SessionHandler {
 public:
  // `name`: of the trace, as the page shows it. `dialect`: null if there is none; outlives it.
  // `first`: the number of the first row.
  TraceRows(std::string name, const wire::Dialect* dialect, view::RowId first, RowSink* sink);

  void OnRecord(const trace::Record& record) override;
  void OnSection() override;
  void OnDamage(const trace::Damage& damage) override;
  bool stop() const override { return sink_->stop(); }
  void Finish();  // the trace has ended

  view::RowId next_row() const { return next_; }
  // At least one; the last one is as far as the trace was read.
  std::vector<view::PageSession>* sessions() { return &sessions_; }
  CallLinks* links() { return &links_; }
  // Of the messages: that of number 1 is the first.
  std::vector<view::RowId> TakeRows() { return std::move(rows_); }

 private:
  void OnMessage(const trace::RecordedMessage& recorded) override;
  void OnElement(const trace::RecordedMessage& recorded) override;
  void OnJunk(const trace::RecordedJunk& recorded) override;
  void OnStderr(int64_t time_ns, std::string_view bytes) override;
  void OnEvent(int64_t time_ns, const trace::Event& event) override;

  view::PageSession* session() { return &sessions_.back(); }
  void EndSession();
  void EndStderr();
  int64_t AtOf(int64_t time_ns) const { return time_ns == 0 ? 0 : time_ns - start_ns_; }
  void Add(TraceRow* row) { sink_->OnRow(next_++, *row); }
  void AddMessage(const trace::RecordedMessage& recorded, const Facts& facts, TraceRow* row);
  void AddStderr(int64_t time_ns, std::string_view line);
  void AddUnread(const trace::ClosedEvent& closed);

  const std::string name_;
  const wire::Dialect* const dialect_;
  RowSink* const sink_;
  view::RowId next_;
  FactReader facts_;
  CallLinks links_;
  trace::Session session_;
  view::StderrLines stderr_;
  std::vector<view::PageSession> sessions_;
  std::vector<view::RowId> rows_;  // of messages, by number
  int64_t start_ns_ = 0;           // 0: no record with a time yet
  bool closed_[2] = {};            // by direction, in this session: its reader closed it
};

}  // namespace midwire::tools
