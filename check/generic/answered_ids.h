// The ids of the latest answers of one party, to distinguish a second answer to a request from one
// to no request. Called by AnswerRule. Bounded; an id uses the memory of an earlier one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace midwire::check {

class AnsweredIds {
 public:
  // A second answer that comes after so many others is taken for one to no request.
  static constexpr size_t kMax = 4096;

  void Add(std::string_view id, uint64_t number) {
    if (newest_.empty()) newest_.resize(kBuckets);
    const size_t at = next_;
    next_ = (next_ + 1) % kMax;
    if (at == all_.size()) {
      all_.emplace_back();
    } else {
      Unlink(at);
    }
    Answered& one = all_[at];
    one.id.assign(id);
    one.number = number;
    one.bucket = BucketOf(id);
    one.newer = 0;
    one.older = newest_[one.bucket];
    if (one.older != 0) all_[one.older - 1].newer = static_cast<uint32_t>(at + 1);
    newest_[one.bucket] = static_cast<uint32_t>(at + 1);
  }

  // The number that came with the id last.
  std::optional<uint64_t> Find(std::string_view id) const {
    if (newest_.empty()) return std::nullopt;
    for (uint32_t at = newest_[BucketOf(id)]; at != 0; at = all_[at - 1].older) {
      if (all_[at - 1].id == id) return all_[at - 1].number;
    }
    return std::nullopt;
  }
  bool Contains(std::string_view id) const { return Find(id).has_value(); }

 private:
  // Two per id: most lists have one id.
  static constexpr size_t kBuckets = 2 * kMax;
  struct Answered {
    std::string id;
    uint64_t number = 0;
    uint32_t bucket = 0;
    uint32_t newer = 0, older = 0;  // in its list: index + 1; 0: none
  };

  static uint32_t BucketOf(std::string_view id) {
    return static_cast<uint32_t>(std::hash<std::string_view>()(id) % kBuckets);
  }
  // The oldest of all is the oldest of its list.
  void Unlink(size_t at) {
    const Answered& one = all_[at];
    (one.newer != 0 ? all_[one.newer - 1].older : newest_[one.bucket]) = 0;
  }

  std::vector<Answered> all_;  // a ring: the oldest one is at next_ once it is full
  size_t next_ = 0;
  std::vector<uint32_t> newest_;  // of each list: index + 1; 0: empty
};

}  // namespace midwire::check
