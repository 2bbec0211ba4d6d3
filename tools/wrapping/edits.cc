#include "tools/wrapping/edits.h"

#include <algorithm>

#include "wire/json/escape.h"

namespace midwire::tools {
namespace {

constexpr size_t kContext = 3;

void Sort(std::vector<Edit>* edits) {
  std::stable_sort(edits->begin(), edits->end(),
                   [](const Edit& a, const Edit& b) { return a.from < b.from; });
}

std::string Replaced(std::string_view old, size_t from, size_t to, const Edit* first,
                     const Edit* last) {
  std::string text;
  for (; first != last; ++first) {
    text += old.substr(from, first->from - from);
    text += first->text;
    from = first->to;
  }
  return text += old.substr(from, to - from);
}

// Lines with their ends.
std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// Tabs and carriage returns of line ends stay, so that patch finds the lines.
void AppendShown(std::string_view line, std::string* out) {
  const std::string_view end = line.ends_with("\r\n") ? "\r\n" : line.ends_with('\n') ? "\n" : "";
  line.remove_suffix(end.size());
  for (;;) {
    const size_t tab = line.find('\t');
    wire::AppendEscaped(line.substr(0, tab), out);
    if (tab == std::string_view::npos) break;
    *out += '\t';
    line.remove_prefix(tab + 1);
  }
  *out += end;
}

void AppendLines(char mark, std::string_view text, std::string* out) {
  for (const std::string_view line : LinesOf(text)) {
    *out += mark;
    AppendShown(line, out);
    if (line.back() != '\n') *out += "\n\\ No newline at end of file\n";
  }
}

// The lines [first, last) that edits change, and the edits.
struct Change {
  size_t first = 0, last = 0;
  const Edit* begin = nullptr;
  const Edit* end = nullptr;
};

std::string Range(size_t first, size_t count) {
  // A range without lines is named by the line before it.
  return std::to_string(count == 0 ? first : first + 1) +
         (count == 1 ? "" : "," + std::to_string(count));
}

}  // namespace

std::string ApplyEdits(std::string_view old, std::vector<Edit> edits) {
  Sort(&edits);
  return Replaced(old, 0, old.size(), edits.data(), edits.data() + edits.size());
}

std::string UnifiedDiff(std::string_view old, std::vector<Edit> edits, const std::string& path) {
  Sort(&edits);
  const std::vector<std::string_view> lines = LinesOf(old);
  std::vector<size_t> starts = {0};
  for (const std::string_view line : lines) starts.push_back(starts.back() + line.size());
  const auto line_of = [&](size_t at) {
    const auto after = std::upper_bound(starts.begin(), starts.end(), at);
    return std::min(static_cast<size_t>(after - starts.begin() - 1), lines.size() - 1);
  };
  std::vector<Change> changes;
  for (const Edit& edit : edits) {
    if (lines.empty()) break;
    const size_t first = line_of(edit.from), last = line_of(edit.to) + 1;
    if (!changes.empty() && first <= changes.back().last) {
      changes.back().last = std::max(changes.back().last, last);
      changes.back().end = &edit + 1;
    } else {
      changes.push_back({first, last, &edit, &edit + 1});
    }
  }
  std::string out;
  ptrdiff_t shift = 0;  // of line numbers, by the hunks before
  for (size_t i = 0; i < changes.size();) {
    size_t next = i + 1;
    while (next < changes.size() && changes[next].first <= changes[next - 1].last + 2 * kContext) {
      ++next;
    }
    const size_t begin = changes[i].first - std::min(kContext, changes[i].first);
    const size_t end = std::min(changes[next - 1].last + kContext, lines.size());
    std::string hunk;
    size_t fresh = 0;
    const auto context = [&](size_t from, size_t to) {
      AppendLines(' ', old.substr(starts[from], starts[to] - starts[from]), &hunk);
      fresh += to - from;
    };
    size_t at = begin;
    for (; i < next; ++i) {
      context(at, changes[i].first);
      at = changes[i].last;
      const size_t from = starts[changes[i].first], to = starts[at];
      const std::string text = Replaced(old, from, to, changes[i].begin, changes[i].end);
      AppendLines('-', old.substr(from, to - from), &hunk);
      AppendLines('+', text, &hunk);
      fresh += LinesOf(text).size();
    }
    context(at, end);
    out += "@@ -" + Range(begin, end - begin) + " +" +
           Range(static_cast<size_t>(static_cast<ptrdiff_t>(begin) + shift), fresh) + " @@\n" +
           hunk;
    shift += static_cast<ptrdiff_t>(fresh) - static_cast<ptrdiff_t>(end - begin);
  }
  const std::string shown = wire::Escaped(path);
  return out.empty() ? out : "--- " + shown + "\n+++ " + shown + "\n" + out;
}

}  // namespace midwire::tools
