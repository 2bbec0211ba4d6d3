// A queue of what is open under one id, oldest first: called by Cancellations, CallLinks and
// CompareTraces. A vector whose front is only erased when half of it is gone. Rejected: to erase it
// each time, which is quadratic where a peer has 100,000 requests of one id open; a deque, which
// takes 500 bytes for each id.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace midwire::tools {

template <typename T>
class OldestFirst {
 public:
  void Push(T item) { items_.push_back(std::move(item)); }
  bool empty() const { return first_ == items_.size(); }
  T& front() { return items_[first_]; }
  const T& front() const { return items_[first_]; }
  void PopFront() {
    ++first_;
    if (2 * first_ < items_.size()) return;
    items_.erase(items_.begin(), begin());
    first_ = 0;
  }
  auto begin() const { return items_.begin() + static_cast<std::ptrdiff_t>(first_); }
  auto end() const { return items_.end(); }

 private:
  std::vector<T> items_;
  size_t first_ = 0;
};

}  // namespace midwire::tools
