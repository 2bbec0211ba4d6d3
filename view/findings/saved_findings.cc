#include "view/findings/saved_findings.h"

#include <algorithm>

#include "view/text/folded.h"
#include "wire/counted.h"
#include "wire/json/escape.h"
#include "wire/json/utf8.h"

namespace midwire::view {
namespace {

// Bytes of a message in a list: two lines of a terminal show what it is. The cassette has all.
constexpr size_t kMaxShown = 200;
// Findings with the same cause that are named: the first show what they have in common.
constexpr size_t kMaxLikeShown = 5;

// On one line, without a cut inside a character.
std::string ShownMessage(std::string_view message) {
  if (message.size() <= kMaxShown) return wire::Escaped(message);
  const std::string_view begin = wire::WholeCharacters(message, kMaxShown);
  return wire::Escaped(begin) + " ... " + wire::Counted(message.size() - begin.size(), "byte") +
         " more";
}

}  // namespace

std::vector<std::string> InputLines(const std::vector<std::string>& messages,
                                    std::optional<size_t> at_fault) {
  std::vector<std::string> lines;
  constexpr size_t kLast = kMaxInputLines - 2;
  const bool all = messages.size() <= kMaxInputLines;
  const bool marks = at_fault && messages.size() > 1;
  const auto is_shown = [&](size_t i) {
    return all || i == 0 || i + kLast >= messages.size() || i == at_fault;
  };
  const auto add = [&](const std::string& line, bool marked = false) {
    lines.push_back((!marks ? "" : marked ? "> " : "  ") + line);
  };
  size_t hidden = 0;
  for (size_t i = 0; i < messages.size(); ++i) {
    if (!is_shown(i)) {
      ++hidden;
      continue;
    }
    if (hidden > 0) add("... " + wire::Counted(hidden, "message") + " ...");
    hidden = 0;
    add(ShownMessage(messages[i]), i == at_fault);
  }
  return lines;
}

std::string LikeText(const SavedFinding& finding) {
  if (finding.like_count == 0) return "";
  std::string text = std::to_string(finding.like_count);
  const size_t shown = std::min(finding.like.size(), kMaxLikeShown);
  for (size_t i = 0; i < shown; ++i) text += (i == 0 ? ": " : ", ") + finding.like[i];
  return text + (shown < finding.like_count ? ", ..." : "");
}

std::string AlsoText(const SavedFinding& finding) {
  std::string text;
  for (const std::string& cassette : finding.also) text += (text.empty() ? "" : ", ") + cassette;
  return text;
}

SeverityCounts CountSeverities(std::span<const SavedFinding> findings) {
  SeverityCounts counts;
  for (const SavedFinding& finding : findings) {
    if (finding.severity == "error") {
      ++counts.errors;
    } else {
      ++(finding.severity == "warning" ? counts.warnings : counts.notes);
    }
  }
  return counts;
}

std::string CountText(std::span<const SavedFinding> findings) {
  if (findings.empty()) return "0 findings";
  const SeverityCounts counts = CountSeverities(findings);
  return wire::Counted(findings.size(), "finding") + ": " + wire::Counted(counts.errors, "error") +
         ", " + wire::Counted(counts.warnings, "warning") + ", " +
         wire::Counted(counts.notes, "note");
}

void AppendSavedFinding(const SavedFinding& finding, size_t width, std::string* out) {
  constexpr size_t kIndent = 4;
  const std::string oracle = finding.oracle == finding.kind ? "" : " (" + finding.oracle + ")";
  AppendFolded(finding.severity + ": " + finding.kind + oracle + ": " + wire::Escaped(finding.text),
               0, kIndent, width, out);
  *out += '\n';
  const auto line = [&](std::string_view name, const std::string& text) {
    if (text.empty()) return;
    *out += name;
    AppendFolded(text, name.size(), name.size(), width, out);
    *out += '\n';
  };
  line("    cause:  ", wire::Escaped(finding.key));
  line("    stderr: ", wire::Escaped(finding.err));
  line("    flaky:  ", finding.flaky);
  line("    like:   ", wire::Escaped(LikeText(finding)));
  line("    also:   ", wire::Escaped(AlsoText(finding)));
  line("    input:  ", finding.sent);
  for (const std::string& sent : finding.input) line("            ", sent);
  // To be copied.
  *out += "    replay: " + finding.command + "\n";
}

void AppendSavedText(std::span<const SavedFinding> findings, size_t width, std::string* out) {
  for (const SavedFinding& finding : findings) {
    AppendSavedFinding(finding, width, out);
    *out += '\n';
  }
  *out += CountText(findings) + "\n";
}

void AppendSavedText(std::span<const SavedFinding> findings, std::string* out) {
  AppendSavedText(findings, 0, out);
}

}  // namespace midwire::view
