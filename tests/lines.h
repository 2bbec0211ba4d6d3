// Text of tests: what the test languages of trace, check, replay, fuzz and tools share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace midwire {

// The lines of a script, without empty lines, blanks before a line, and lines that begin with `#`.
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

// A body with its Content-Length header.
inline std::string WithLength(std::string_view body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

inline std::string Repeated(std::string_view text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace midwire
