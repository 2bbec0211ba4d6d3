#include "tools/wrapping/shell_line.h"

#include <algorithm>

#include "tools/console/shell_word.h"

namespace midwire::tools {
namespace {

constexpr std::string_view kDashes = " -- ";
constexpr std::string_view kShell = "sh -c '";

// A quote inside of a word in quotes: '\'' in a shell. In the file, the backslash is escaped.
std::string_view InnerQuote(char quote) { return quote == '"' ? R"('\\'')" : R"('\'')"; }

}  // namespace

bool IsPlainLine(std::string_view line) {
  const size_t first = std::min(line.find(' '), line.size());
  const bool assigns = line.substr(0, first).find('=') != std::string_view::npos;
  return !assigns &&
         std::all_of(line.begin(), line.end(), [](char c) { return c == ' ' || IsShellPlain(c); });
}

std::optional<std::string> LineBehind(std::string_view front, std::string_view raw, char quote,
                                      bool plain) {
  std::string line(front);
  line += kDashes;
  if (plain) return line += raw;
  // In single quotes of a file, a quote has another escape.
  if (quote == '\'' || raw.find("\\u") != std::string_view::npos) return std::nullopt;
  line += kShell;
  for (const char c : raw) {
    if (c == '\'') {
      line += InnerQuote(quote);
    } else {
      line += c;
    }
  }
  return line += "'";
}

std::optional<std::string> LineOf(std::string_view wrapped, char quote, bool plain) {
  const size_t dashes = wrapped.find(kDashes);
  if (dashes == std::string_view::npos) return std::nullopt;
  std::string_view rest = wrapped.substr(dashes + kDashes.size());
  if (plain) return std::string(rest);
  if (!rest.starts_with(kShell) || !rest.ends_with('\'')) return std::nullopt;
  rest = rest.substr(kShell.size(), rest.size() - kShell.size() - 1);
  std::string line;
  while (!rest.empty()) {
    const std::string_view inner = InnerQuote(quote);
    const bool is_quote = rest.starts_with(inner);
    if (!is_quote && rest[0] == '\'') return std::nullopt;
    line += rest[0];
    rest.remove_prefix(is_quote ? inner.size() : 1);
  }
  return line;
}

}  // namespace midwire::tools
