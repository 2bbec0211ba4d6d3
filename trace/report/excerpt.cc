#include "trace/report/excerpt.h"

#include <algorithm>

#include "wire/json/ascii.h"
#include "wire/json/unescape.h"
#include "wire/json/utf8.h"

namespace midwire::trace {
namespace {

struct ExcerptSize {
  size_t most;    // bytes, without the dots
  size_t before;  // of them, before what varies
};
constexpr std::string_view kCut = "...";
constexpr ExcerptSize kOfMany = {kMaxExcerpt, 16};
// Of the two values of a difference: before what differs.
constexpr size_t kBeforeFork = 60;
// Behind what differs in the first line, the line end is looked for in so many bytes. A rule may
// show a difference for each of a hundred thousand values.
constexpr size_t kMaxFirstLine = 1024;

// Of all values; 0 for one value, so that its beginning is shown.
size_t CommonBegin(std::span<const std::string> values) {
  size_t common = values.size() < 2 ? 0 : values[0].size();
  for (const std::string& value : values) {
    const auto [a, b] =
        std::mismatch(value.begin(), value.end(), values[0].begin(), values[0].end());
    common = std::min(common, static_cast<size_t>(a - value.begin()));
  }
  return common;
}

// The next byte that begins a character of UTF-8.
size_t CharacterAt(std::string_view text, size_t at) {
  while (at < text.size() && wire::IsWithinCharacter(text[at])) ++at;
  return at;
}

// Where the escape begins that `at` is within; else `at`.
size_t EscapeAt(std::string_view text, size_t at) {
  constexpr size_t kLongest = 6;  // \u00e4
  for (size_t back = 1; back < kLongest && back <= at && at < text.size(); ++back) {
    const size_t begin = at - back;
    if (text[begin] != '\\') continue;
    const size_t before = text.substr(0, begin).find_last_not_of('\\');
    const size_t backslashes = begin - (before == text.npos ? 0 : before + 1);
    if (backslashes % 2 == 1) continue;  // it is escaped itself
    return wire::ReadJsonEscape(text.substr(begin)).size > back ? begin : at;
  }
  return at;
}

// Where an excerpt begins that need not begin before `from`, but before `varies`. After a blank, or
// after a sign, so that a generated value, which a report shows by name, is not cut.
size_t BeginOf(std::string_view text, size_t from, size_t varies) {
  const std::string_view window = text.substr(from, varies - from);
  if (const size_t blank = window.find(' '); blank != window.npos) return from + blank + 1;
  for (size_t at = from; at < varies; ++at) {
    const char c = text[at];
    const bool is_sign = c > 0 && c != '-' && c != '_' && c != '\\' && !wire::IsAlphanumeric(c);
    if (is_sign && EscapeAt(text, at + 1) == at + 1) return at + 1;
  }
  return EscapeAt(text, std::min(CharacterAt(text, from), varies));
}

std::string ExcerptOf(std::string_view text, size_t varies, const ExcerptSize& size) {
  const size_t from =
      varies > size.before ? BeginOf(text, varies - size.before, std::min(varies, text.size())) : 0;
  const size_t end = std::min(text.size(), from + size.most);
  const size_t to = EscapeAt(text, CharacterAt(text, end));
  std::string excerpt(from > 0 ? kCut : "");
  excerpt += text.substr(from, to - from);
  if (to < text.size()) excerpt += kCut;
  return excerpt;
}

// A character of a JSON string, or an escape that stands for one.
struct Unit {
  uint32_t code = 0;
  size_t size = 1;
  bool valid = true;
  bool operator==(const Unit& other) const { return code == other.code && valid == other.valid; }
};

Unit UnitAt(std::string_view text, size_t at) {
  if (text[at] == '\\') {
    if (const wire::JsonEscape escape = wire::ReadJsonEscape(text.substr(at)); escape.size > 0) {
      return {escape.code, escape.size};
    }
  }
  const wire::Character character = wire::FirstCharacter(text.substr(at));
  return {character.code, character.length, character.valid};
}

struct Fork {
  size_t expected = 0, got = 0;
  uint32_t lines = 0;  // ended before it in the expected text
};

// Where two texts begin to differ in meaning, if they are strings with their quotes.
Fork ForkOf(std::string_view expected, std::string_view got, Agreed agreed) {
  Fork fork;
  const size_t known = std::min(agreed.expected, expected.size());
  while (fork.expected < known) {
    const Unit unit = UnitAt(expected, fork.expected);
    fork.lines += unit.code == '\n';
    fork.expected += unit.size;
  }
  fork.got = std::min(agreed.got, got.size());
  while (fork.expected < expected.size() && fork.got < got.size()) {
    const Unit left = UnitAt(expected, fork.expected), right = UnitAt(got, fork.got);
    if (!(left == right)) break;
    fork.lines += left.code == '\n';
    fork.expected += left.size;
    fork.got += right.size;
  }
  return fork;
}

bool HasLineEnd(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Unit unit = UnitAt(text, at);
    if (unit.code == '\n') return true;
    at += unit.size;
  }
  return false;
}

std::string ShownFrom(std::string_view value, size_t fork, size_t most) {
  if (value.size() <= most || fork <= kBeforeFork) return Shown(value, most);
  // With dots at both ends, no longer than what Shown leaves.
  return ExcerptOf(value, fork, {most - 2 * kCut.size(), kBeforeFork});
}

}  // namespace

std::string Shown(std::string_view value, size_t most) {
  if (value.size() <= most) return std::string(value);
  const size_t kept = most - kCut.size();
  size_t cut = kept;
  while (cut > kept - 3 && wire::IsWithinCharacter(value[cut])) --cut;
  // Else it is not UTF-8, where a character has at most four bytes.
  if (wire::IsWithinCharacter(value[cut])) cut = kept;
  return std::string(value.substr(0, cut)).append(kCut);
}

std::vector<std::string> Excerpts(std::span<const std::string> values) {
  const size_t common = CommonBegin(values);
  std::vector<std::string> excerpts;
  for (const std::string& value : values) {
    excerpts.push_back(value.size() <= kMaxExcerpt ? value : ExcerptOf(value, common, kOfMany));
  }
  return excerpts;
}

ShownPair ShowPair(std::string_view expected, std::string_view got, Agreed agreed, size_t most) {
  if (std::max(expected.size(), got.size()) <= most) {
    return {std::string(expected), std::string(got)};
  }
  const Fork fork = ForkOf(expected, got, agreed);
  ShownPair shown = {ShownFrom(expected, fork.expected, most), ShownFrom(got, fork.got, most)};
  if (fork.lines > 0 || HasLineEnd(expected.substr(fork.expected, kMaxFirstLine)))
    shown.line = fork.lines + 1;
  return shown;
}

}  // namespace midwire::trace
