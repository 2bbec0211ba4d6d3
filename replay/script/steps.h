// The steps of a script: a sequence that only grows, in blocks of equal size. A block is never
// moved, so growing needs no second copy; its size is a power of two, so that finding a step is a
// shift. (A deque divides by the 12 steps that fit into its blocks, for each of a hundred looks
// that a replay takes per message.)
#pragma once

#include <cstddef>
#include <vector>

namespace midwire::replay {

template <typename T, size_t kShift = 10>
class Blocks {
 public:
  void push_back(const T& item) {
    if ((size_ & kMask) == 0) blocks_.emplace_back().reserve(kMask + 1);
    blocks_.back().push_back(item);
    ++size_;
  }
  T& operator[](size_t at) { return blocks_[at >> kShift][at & kMask]; }
  const T& operator[](size_t at) const { return blocks_[at >> kShift][at & kMask]; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  class Iterator {
   public:
    Iterator(const Blocks* of, size_t at) : of_(of), at_(at) {}
    const T& operator*() const { return (*of_)[at_]; }
    Iterator& operator++() { return ++at_, *this; }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    const Blocks* of_;
    size_t at_;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size_}; }

 private:
  static constexpr size_t kMask = (size_t{1} << kShift) - 1;
  std::vector<std::vector<T>> blocks_;
  size_t size_ = 0;
};

}  // namespace midwire::replay
