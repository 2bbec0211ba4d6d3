// The lines of a script in a test: what the test languages of trace, check, replay and fuzz share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace midwire {

// Without empty lines, blanks before a line, and lines that begin with `#`.
inline std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (line.starts_with(' ')) line.remove_prefix(1);
    if (!line.empty() && line[0] != '#') lines.emplace_back(line);
  }
  return lines;
}

}  // namespace midwire
