// A trace that a page looks at: its rows by number, and the bytes of each, as far as it was read.
// Called by ViewService and EventStream. The bytes are in a FrameStore (a nameless temporary file
// above 8 MiB), so that they are what was read even if the trace changes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tools/choose_dialect.h"
#include "tools/reporting/row_sink.h"
#include "tools/reporting/trace_rows.h"
#include "tools/viewing/trace_feed.h"
#include "trace/frame_store.h"
#include "view/page/index.h"

namespace midwire::tools {

class OpenedTrace : private RowSink {
 public:
  // Rows of a trace that are shown: a row takes about 150 bytes here.
  static constexpr size_t kMaxRows = 4'000'000;
  // Bytes of one answer to api/bytes.
  static constexpr uint64_t kMaxAnswer = 64u << 20;

  OpenedTrace(TraceFile file, OpenFile opened);

  // True: everything available is read, up to `deadline_ns` of the monotonic clock.
  bool Read(int64_t deadline_ns);
  // It was truncated or replaced, or is now known to speak another dialect: open it again.
  bool stale() const { return feed_.truncated() || stale_; }
  void SetReplaced() { stale_ = true; }  // another file has its name
  bool live() const { return !full_ && feed_.live(); }
  bool ended() const { return finished_ || full_ || !feed_.failure().empty(); }
  const TraceFile& file() const { return file_; }

  // As far as it was read.
  const view::PageIndex& index();
  size_t rows() const { return index_.rows.count(); }
  int64_t now_ns() const;  // since the latest session began
  // `from` below 0: counted from the end. At most `count` rows.
  std::string Piece(int64_t from, int64_t count);
  struct Bytes {
    int status = 200;  // of HTTP
    std::string bytes;
  };
  Bytes BytesOf(int64_t row, int64_t count);

 private:
  void OnRow(view::RowId id, const TraceRow& row) override;
  void OnFlags(view::RowId id, uint8_t flags) override { index_.rows.AddFlags(id, flags); }
  void OnUnread(view::RowId first, uint64_t last, uint8_t direction) override {
    index_.rows.AddFlags(first, last, direction, view::kUnreadRow);
  }
  bool stop() const override { return full_; }
  void Choose();
  void Finish();

  const TraceFile file_;
  TraceFeed feed_;
  ChosenDialect dialect_;
  std::unique_ptr<TraceRows> reader_;
  view::PageIndex index_;  // its sessions and notes are made when they are asked for
  trace::FrameStore store_;
  std::vector<uint64_t> offsets_;  // of each row in the store
  uint64_t messages_ = 0, labels_ = 0;
  std::string trouble_;  // the temporary file cannot be written
  bool full_ = false, finished_ = false, settled_ = false, stale_ = false;
};

}  // namespace midwire::tools
