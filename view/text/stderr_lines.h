// Joins pieces of stderr to lines, each with the time of its last byte: plugins write a line in
// pieces (Python's print: text, then newline). A line is shown where it ends: with the time of its
// beginning, the column of times would run backwards. Called by what shows a timeline. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace midwire::view {

class StderrLines {
 public:
  // A longer line is shown in pieces: it may never end.
  static constexpr size_t kMaxLine = 64 * 1024;

  // Calls line(time_ns, text) for each line that has ended; `text` is without its end.
  template <typename Line>
  void Add(int64_t time_ns, std::string_view bytes, const Line& line) {
    while (!bytes.empty()) {
      pending_ns_ = time_ns;
      const size_t newline = std::min(bytes.find('\n'), bytes.size());
      const std::string_view piece = bytes.substr(0, std::min(newline, kMaxLine - pending_.size()));
      bytes.remove_prefix(piece.size());
      const bool ended = !bytes.empty() && bytes[0] == '\n';
      if (ended) bytes.remove_prefix(1);
      pending_ += piece;
      if (!ended && pending_.size() < kMaxLine) return;
      Pass(line);
    }
  }
  // What is pending is a line too.
  template <typename Line>
  void End(const Line& line) {
    if (!pending_.empty()) Pass(line);
  }

 private:
  template <typename Line>
  void Pass(const Line& line) {
    std::string_view text = pending_;
    if (text.ends_with('\r')) text.remove_suffix(1);
    line(pending_ns_, text);
    pending_.clear();
  }

  std::string pending_;
  int64_t pending_ns_ = 0;
};

}  // namespace midwire::view
