// In which line of a cassette each message is, so that a violation that is found later, such as a
// missing answer, has its line. Filled by tools/ while it reads a trace.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace midwire::trace {

// Messages in successive lines are one entry, so that memory is that of what stands between them.
class FrameLines {
 public:
  // 16 MiB. Of the messages after it only the latest has a line.
  static constexpr size_t kMaxRuns = 1u << 20;

  // Numbers ascend.
  void Add(uint64_t number, uint64_t line) {
    latest_ = {number, line};
    if (line == 0 || full_) return;
    const bool follows =
        !runs_.empty() && runs_.back().line + (number - runs_.back().number) == line;
    if (follows) return;
    full_ = runs_.size() == kMaxRuns;
    if (full_) {
      end_ = number;
    } else {
      runs_.push_back({number, line});
    }
  }
  // 0: it has none, or none is known.
  uint64_t Of(uint64_t number) const {
    if (number == 0) return 0;
    if (number == latest_.number) return latest_.line;
    if (number > latest_.number || (full_ && number >= end_)) return 0;
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), number,
                         [](uint64_t wanted, const Run& run) { return wanted < run.number; });
    if (after == runs_.begin()) return 0;
    const Run& run = *(after - 1);
    return run.line + (number - run.number);
  }

 private:
  struct Run {
    uint64_t number = 0, line = 0;  // of its first message
  };
  std::vector<Run> runs_;
  Run latest_;
  bool full_ = false;
  uint64_t end_ = 0;  // the first message that has no run
};

}  // namespace midwire::trace
