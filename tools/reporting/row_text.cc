#include "tools/reporting/row_text.h"

#include <algorithm>
#include <optional>

#include "wire/json/path.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"

namespace midwire::tools {
namespace {

constexpr size_t kMaxFailure = 200;  // of DATA.md; in characters it is at most that

// Members whose texts say why, in the results of MCP and of others.
constexpr std::string_view kReasons[] = {"text", "message", "error", "reason", "detail"};

// The cause may be on a later line than the first. A line end and the blanks around it are one
// blank.
std::string OneLine(std::string_view text) {
  std::string line;
  while (!text.empty() && line.size() <= kMaxFailure) {
    const size_t end = std::min(text.find_first_of("\r\n"), text.size());
    std::string_view next = text.substr(0, end);
    next.remove_prefix(std::min(next.find_first_not_of(" \t"), next.size()));
    next = next.substr(0, next.find_last_not_of(" \t") + 1);
    if (!line.empty() && !next.empty()) line += ' ';
    line += next.substr(0, kMaxFailure + 1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (line.size() <= kMaxFailure) return line;
  return std::string(wire::WholeCharacters(line, kMaxFailure)) + "\u2026";
}

}  // namespace

std::string FailureOf(const wire::Message& error) {
  std::string text;
  if (error.error_code) text = std::to_string(*error.error_code);
  if (!text.empty() && !error.error_message.empty()) text += ' ';
  return OneLine(text + error.error_message);
}

std::string ReasonIn(std::string_view body) {
  std::string found;
  wire::WalkScalars(body, [&](const wire::Path& path, std::string_view value) {
    if (!found.empty() || path.empty() || wire::TypeOf(value) != wire::JsonType::kString) return;
    const std::string_view name = path.back().name;  // with its quotes
    if (name.size() < 2) return;
    const std::string_view plain = name.substr(1, name.size() - 2);
    if (std::find(std::begin(kReasons), std::end(kReasons), plain) == std::end(kReasons)) return;
    found = OneLine(wire::StringValue(value));
  });
  return found;
}

std::string CommandLine(const std::vector<std::string>& argv) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:@%+,";
  std::string line;
  for (const std::string& word : argv) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) {
      if (c == '\'') line += "'\\'";
      line += c;
    }
    line += '\'';
  }
  return line;
}

}  // namespace midwire::tools
