// The end of what the plugin wrote to stderr, for rules that report how the plugin ended: what a
// program writes last often says why, and hosts hide it. Fed with all of stderr, keeps little.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace midwire::check {

class LastWords {
 public:
  // Of a stack trace, the last line names the error; it is rarely longer than a few hundred bytes.
  static constexpr size_t kMaxKept = 2048;
  static constexpr size_t kMaxShown = 200;

  void Add(std::string_view bytes) {
    end_ += bytes.substr(bytes.size() - std::min(bytes.size(), kMaxKept));
    if (end_.size() > kMaxKept) end_.erase(0, end_.size() - kMaxKept);
  }

  // "; it wrote last to stderr: No module", or "": nothing.
  std::string Text() const {
    std::string_view text = end_;
    constexpr std::string_view kBlanks = " \t\r\n";
    text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
    text.remove_prefix(std::min(text.size(), text.find_last_of('\n') + 1));  // npos + 1 is 0
    if (text.empty()) return "";
    return "; it wrote last to stderr: " + std::string(text.substr(0, kMaxShown));
  }

 private:
  std::string end_;
};

}  // namespace midwire::check
