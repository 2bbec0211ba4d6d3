#include "replay/paths/placeholders.h"

#include <algorithm>
#include <utility>

namespace midwire::replay {
namespace {

// The placeholder that the text has at `at`; "": none.
std::string_view PlaceholderAt(std::string_view text, size_t at) {
  for (const std::string_view placeholder :
       {kCwdPlaceholder, kHomePlaceholder, kBracePlaceholder}) {
    if (text.substr(at, placeholder.size()) == placeholder) return placeholder;
  }
  return "";
}

// Edits that keep placeholders of the text itself from being expanded.
TextEdits ProtectBraces(std::string_view text) {
  TextEdits edits;
  for (size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    if (!PlaceholderAt(text, at).empty()) {
      edits.push_back({at, at + 1, std::string(kBracePlaceholder)});
    }
  }
  return edits;
}

}  // namespace

Placeholders::Placeholders(Directories directories)
    : directories_(std::move(directories)),
      to_placeholders_({{directories_.cwd, std::string(kCwdPlaceholder)},
                        {directories_.home, std::string(kHomePlaceholder)}},
                       /*verbatim=*/true) {}

void Placeholders::Collapse(std::string_view text, TextEdits* edits) const {
  TextEdits found;
  to_placeholders_.Find(text, &found);
  TextEdits braces = ProtectBraces(text);
  if (found.empty() && braces.empty()) return;
  TextEdits all = found;
  all.insert(all.end(), braces.begin(), braces.end());
  std::sort(all.begin(), all.end(),
            [](const TextEdit& a, const TextEdit& b) { return a.begin < b.begin; });
  const bool overlap = std::adjacent_find(all.begin(), all.end(), [](const auto& a, const auto& b) {
                         return a.end > b.begin;
                       }) != all.end();
  if (!overlap) {
    const std::string collapsed = Edited(text, all);
    TextEdits back;
    Expand(collapsed, &back);
    if (Edited(collapsed, back) == text) {
      std::move(all.begin(), all.end(), std::back_inserter(*edits));
      return;
    }
  }
  std::move(braces.begin(), braces.end(), std::back_inserter(*edits));
}

void Placeholders::Expand(std::string_view text, TextEdits* edits,
                          std::string_view* missing) const {
  for (size_t at = text.find('{'); at != text.npos;) {
    const std::string_view placeholder = PlaceholderAt(text, at);
    const size_t end = at + std::max<size_t>(placeholder.size(), 1);
    if (placeholder == kBracePlaceholder) {
      edits->push_back({at, end, "{"});
    } else if (!placeholder.empty()) {
      const std::string& path =
          placeholder == kCwdPlaceholder ? directories_.cwd : directories_.home;
      if (path.empty()) {
        if (missing) *missing = placeholder;
      } else {
        const bool root_of_path = path == "/" && end < text.size() && text[end] == '/';
        const std::string plain = root_of_path ? "" : path;
        edits->push_back({at, end, IsUriPath(text, at) ? PercentEncoded(plain) : plain});
      }
    }
    at = text.find('{', end);
  }
}

}  // namespace midwire::replay
