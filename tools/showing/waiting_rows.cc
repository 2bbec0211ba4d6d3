#include "tools/showing/waiting_rows.h"

#include <algorithm>
#include <utility>

namespace midwire::tools {
namespace {

// What is written at once: as much as a pipe takes.
constexpr size_t kPiece = 64 * 1024;

}  // namespace

// Text that was cut off at the front is held until it is as long as the rest, or a piece.
bool WaitingRows::had_room() const { return most_held_ + kPiece < most_ / 2; }

bool WaitingRows::few() const { return text_.size() < kPiece / 16; }

void WaitingRows::Wait(WaitingRow row) {
  const uint64_t index = first_ + rows_.size();
  by_number_.emplace(row.number, index);
  auto& unmarked = unmarked_[static_cast<int>(row.direction)];
  unmarked.emplace_hint(unmarked.end(), row.number, index);
  rows_.push_back(std::move(row));
}

WaitingRow* WaitingRows::Find(uint64_t number, std::string_view id) {
  const auto [begin, end] = by_number_.equal_range(number);
  for (auto at = begin; at != end; ++at) {
    WaitingRow& row = rows_[at->second - first_];
    if (row.id.empty() || row.id == id) return &row;
  }
  return nullptr;
}

WaitingRow* WaitingRows::First() {
  open_ = std::max(open_, first_);
  while (open_ < first_ + rows_.size() && rows_[open_ - first_].decided) ++open_;
  return open_ < first_ + rows_.size() ? &rows_[open_ - first_] : nullptr;
}

size_t WaitingRows::NeverRead(uint64_t first, uint64_t last, wire::Direction direction) {
  auto& unmarked = unmarked_[static_cast<int>(direction)];
  const auto begin = unmarked.lower_bound({first, 0});
  auto end = begin;
  size_t count = 0;
  for (; end != unmarked.end() && end->first <= last; ++end, ++count) {
    rows_[end->second - first_].never_read = true;
  }
  unmarked.erase(begin, end);
  return count;
}

void WaitingRows::Forget(const WaitingRow& row) {
  const auto [begin, end] = by_number_.equal_range(row.number);
  for (auto at = begin; at != end; ++at) {
    if (&rows_[at->second - first_] != &row) continue;
    unmarked_[static_cast<int>(row.direction)].erase({row.number, at->second});
    by_number_.erase(at);
    return;
  }
}

void WaitingRows::Decide(WaitingRow* row, bool shown, std::string ending) {
  Forget(*row);
  row->decided = true;
  row->shown = shown;
  row->ending = std::move(ending);
  if (shown && row->counts) Count(row->begin);
}

// Of the last messages only so many are kept, and what is between them.
void WaitingRows::Count(uint64_t begin) {
  if (last_ == 0) return;
  ++counts_;
  counted_.insert(begin);
  while (counted_.size() > last_ || (text_.size() > kMaxLast && counted_.size() > 1)) {
    counted_.erase(counted_.begin());
    CutBefore(*counted_.begin());
  }
  if (counted_.size() == last_) CutBefore(*counted_.begin());
}

void WaitingRows::CutBefore(uint64_t place) {
  while (!rows_.empty() && rows_.front().begin < place) {
    if (!rows_.front().decided) Forget(rows_.front());
    rows_.pop_front();
    ++first_;
  }
  written_ = std::max(written_, place);
  const uint64_t gone = written_ - base_;
  if (gone < kPiece || gone < text_.size() / 2) return;
  text_.erase(0, gone);
  base_ = written_;
}

void WaitingRows::Settle() {
  if (last_ != 0) return;
  const WaitingRow* first = First();
  const uint64_t ready = (first == nullptr ? place() : first->begin) - written_;
  // The first rows are written at once: someone is waiting for them.
  const bool first_rows = !wrote_ && ready > 0 && text_.size() >= kPiece / 16;
  if (first_rows || (ready >= kPiece && ready >= text_.size() / 2)) Write(written_ + ready);
}

void WaitingRows::Flush() {
  if (last_ != 0) return;
  const WaitingRow* first = First();
  Write(first == nullptr ? place() : first->begin);
  output_->Flush();
}

void WaitingRows::WriteThrough() { Write(place()); }

void WaitingRows::Release() {
  if (last_ == 0) return;
  WriteThrough();
  last_ = 0;
}

void WaitingRows::Write(uint64_t to) {
  const std::string_view text = text_;
  const auto write = [&](uint64_t end) {
    output_->Write(text.substr(written_ - base_, end - written_));
    written_ = end;
  };
  while (!rows_.empty() && rows_.front().begin < to) {
    const WaitingRow& row = rows_.front();
    if (!row.decided) Forget(row);
    if (!row.shown) {
      write(row.begin);
      written_ = row.end;
    } else {
      // Without an ending the blanks before it are not needed either.
      uint64_t stop = row.open_at;
      if (row.ending.starts_with('\n')) {
        while (stop > row.begin && text[stop - base_ - 1] == ' ') --stop;
      }
      write(stop);
      written_ = row.open_at;
      output_->Write(row.ending);
    }
    rows_.pop_front();
    ++first_;
  }
  write(to);
  wrote_ = true;
  text_.erase(0, written_ - base_);
  base_ = written_;
}

}  // namespace midwire::tools
