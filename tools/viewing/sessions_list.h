// The list of sessions on the left of the page: what each trace is, counted in slices of time, the
// newest first. Called by ViewService. Never waits.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "tools/choose_dialect.h"
#include "tools/reporting/row_sink.h"
#include "tools/reporting/trace_rows.h"
#include "tools/viewing/trace_feed.h"
#include "tools/viewing/trace_files.h"

namespace midwire::tools {

// What is known of a trace.
struct SessionSummary {
  bool counted = false;  // the numbers are of all that was read
  bool live = false;
  std::string title, exit;
  bool crashed = false;
  int64_t start_ns = 0, duration_ns = 0;
  uint64_t messages = 0, failed = 0, open = 0;
  bool operator==(const SessionSummary&) const = default;
};

// Counts one trace.
class SessionCounter : private RowSink {
 public:
  explicit SessionCounter(OpenFile file);
  // As TraceFeed::Read.
  bool Read(int64_t deadline_ns);
  bool done() const { return !feed_.live(); }
  bool truncated() const { return feed_.truncated(); }
  SessionSummary summary() const;

 private:
  void OnRow(view::RowId id, const TraceRow& row) override;
  void OnFlags(view::RowId id, uint8_t flags) override;

  TraceFeed feed_;
  ChosenDialect dialect_;
  std::unique_ptr<TraceRows> rows_;
  uint64_t messages_ = 0, failed_ = 0, requests_ = 0, answers_ = 0;
  std::set<view::RowId> cancelled_;  // requests without an answer
};

class SessionsList {
 public:
  // Larger traces, and those beyond so many, are listed with their sizes alone.
  static constexpr uint64_t kMaxCounted = 64u << 20;
  static constexpr size_t kMaxSummaries = 200;
  // Traces that are being written, whose counters are kept.
  static constexpr size_t kMaxCounters = 16;

  // `once`: the server ends with its last page (DATA.md).
  SessionsList(TraceFiles files, bool once) : files_(std::move(files)), once_(once) {}

  // Looks at the folder every second, and counts until `deadline_ns`.
  void Read(int64_t deadline_ns);
  TraceFiles* files() { return &files_; }
  // The answer of api/sessions.
  const std::string& json() const { return json_; }
  uint64_t version() const { return version_; }  // of json

 private:
  struct Known {
    TraceFile file;  // as it was counted
    SessionSummary summary;
    std::unique_ptr<SessionCounter> counter;  // of a trace that grows, or is being counted
  };
  bool Count(const TraceFile& file, int64_t deadline_ns, size_t* counters);
  void Write();

  TraceFiles files_;
  const bool once_;
  std::map<std::string, Known> known_;  // by id
  int64_t scan_at_ = 0;
  std::string json_;
  uint64_t version_ = 0;
};

}  // namespace midwire::tools
