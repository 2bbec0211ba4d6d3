// The rows of a timeline on their way to the output. The row of a request waits until its answer is
// known, because it says how the call went, and a filter may ask for that. The rows behind it wait
// with it. Called by Viewer. Does not render rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tools/output.h"
#include "tools/showing/filter_line.h"
#include "wire/exchange.h"

namespace midwire::tools {

// What the last messages may take if only these are wanted: with large bodies there are fewer.
inline constexpr size_t kMaxLast = 256u << 20;

// A request's row; places are counted from the first byte of the timeline.
struct WaitingRow {
  uint64_t begin = 0, open_at = 0, end = 0;  // its ending comes at open_at
  uint64_t number = 0;
  wire::Direction direction = wire::Direction::kHostToPlugin;
  std::string id;  // of an element of a batch: elements share a number
  int64_t time_ns = 0;
  std::string remarks;             // of the request itself, for its ending
  std::unique_ptr<KeptLine> line;  // what the filter tests; null: the row is shown in any case
  bool counts = false;             // for -n
  bool cancelled = false, never_read = false;
  bool decided = false, shown = true;
  std::string ending;
};

class WaitingRows {
 public:
  // Rows wait in up to `most` bytes. `last`: 0, or how many messages are shown at most.
  WaitingRows(Output* output, size_t most, uint64_t last)
      : output_(output), most_(most), last_(last) {}

  // The printer appends here, then one of the following is called.
  std::string* text() { return &text_; }
  uint64_t place() const { return base_ + text_.size(); }  // of the next byte
  // A message's row, which began at `begin`, is complete.
  void Count(uint64_t begin);
  void Wait(WaitingRow row);

  // The open row of a request; null: there is none.
  WaitingRow* Find(uint64_t number, std::string_view id);
  // The one that waits longest; null: there is none.
  WaitingRow* First();
  // The reader of that direction has never read what it got from message `first` to `last`.
  // Returns how many rows it looked at: each is looked at for one event.
  size_t NeverRead(uint64_t first, uint64_t last, wire::Direction direction);
  // More waits than may. Called after each row.
  bool overfull() {
    most_held_ = std::max(most_held_, text_.size());
    return text_.size() > most_;
  }
  // Rows that were counted; and whether always less than half of the bytes were held that may be.
  // Then the rows since the first of the last messages would be the same behind any others.
  uint64_t counts() const { return counts_; }
  bool had_room() const;
  // Sets how a row ends, and whether it is shown at all.
  void Decide(WaitingRow* row, bool shown, std::string ending);

  // So few bytes that Settle writes none of them.
  bool few() const;
  // Writes what is complete, if it is worth it.
  void Settle();
  // Writes all that is complete.
  void Flush();
  // Writes everything so far, also if only the last rows are wanted.
  void WriteThrough();
  // From now on all rows are wanted.
  void Release();

 private:
  void Write(uint64_t to);
  void CutBefore(uint64_t place);
  void Forget(const WaitingRow& row);

  Output* const output_;
  const size_t most_;
  uint64_t last_;
  std::string text_;
  uint64_t base_ = 0;     // place of text_[0]
  uint64_t written_ = 0;  // place up to which text_ was written
  bool wrote_ = false;
  std::deque<WaitingRow> rows_;                            // decided ones too, in order
  uint64_t first_ = 0;                                     // index of rows_.front()
  std::unordered_multimap<uint64_t, uint64_t> by_number_;  // of open rows: index
  // Of the open rows of each direction that are not marked as never read: number, index. A peer may
  // close its stream after each message.
  std::set<std::pair<uint64_t, uint64_t>> unmarked_[2];
  uint64_t open_ = 0;           // index before which all are decided
  std::set<uint64_t> counted_;  // places of the last messages
  uint64_t counts_ = 0;
  size_t most_held_ = 0;
};

}  // namespace midwire::tools
