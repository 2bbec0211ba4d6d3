#include "check/documents/misplaced.h"

#include <algorithm>
#include <string_view>

#include "wire/json/utf8.h"

namespace midwire::check {
namespace {

// Of a line that is shown around a place.
constexpr size_t kMaxLineShown = 60;

// The line, or the part of it around a column, in quotes.
std::string QuotedLine(std::string_view line, size_t column) {
  const auto within = [&](size_t at) {
    return at < line.size() && wire::IsWithinCharacter(line[at]);
  };
  size_t begin =
      line.size() <= kMaxLineShown || column < kMaxLineShown / 2 ? 0 : column - kMaxLineShown / 2;
  size_t end = std::min(line.size(), begin + kMaxLineShown);
  while (within(begin)) ++begin;
  while (within(end)) ++end;
  return std::string(begin > 0 ? "\"..." : "\"") + std::string(line.substr(begin, end - begin)) +
         (end < line.size() ? "...\"" : "\"");
}

// In which other unit the line is long enough, if in one.
std::string CountedIn(uint64_t character, std::string_view line, PositionUnit agreed) {
  for (const PositionUnit unit : {PositionUnit::kUtf16, PositionUnit::kUtf8}) {
    if (unit == agreed || character > LengthIn(unit, line)) continue;
    return ", which fits if counted in " + std::string(Name(unit));
  }
  return "";
}

}  // namespace

Misplaced DescribeMisplaced(const TextDocument& text, const TextDocument::Located& located,
                            const Position& position, PositionUnit unit) {
  if (located.fit == TextDocument::Fit::kBeyondText) {
    return {"at most " + std::to_string(text.line_count() - 1), std::to_string(position.line),
            /*of_line=*/true};
  }
  const std::string line =
      "line " + std::to_string(position.line) + ", " + QuotedLine(located.line, located.column);
  const std::string got = std::to_string(position.character);
  if (located.fit == TextDocument::Fit::kInsideCharacter) {
    return {"no place inside a character of " + line, got, /*of_line=*/false};
  }
  return {"at most " + std::to_string(LengthIn(unit, located.line)) + " (" +
              std::string(Name(unit)) + ") in " + line,
          got + CountedIn(position.character, located.line, unit), /*of_line=*/false};
}

}  // namespace midwire::check
