#include <algorithm>

#include "view/findings/saved_findings.h"
#include "wire/json/escape.h"

namespace midwire::view {
namespace {

// As code in a line of text: no markup, mention or link in it is interpreted.
std::string InlineCode(std::string_view text) {
  std::string safe = wire::Escaped(text);
  std::replace(safe.begin(), safe.end(), '`', '\'');
  return "`" + safe + "`";
}

// As code on lines of its own: nothing ends an indented block but a line that is not indented.
void AppendCodeLine(const std::string& line, std::string* out) { *out += "    " + line + "\n"; }

}  // namespace

void AppendSavedMarkdown(std::span<const SavedFinding> findings, std::string* out) {
  *out += "# Findings of midwire fuzz\n\n" + CountText(findings) + "\n";
  for (size_t i = 0; i < findings.size(); ++i) {
    const SavedFinding& finding = findings[i];
    *out +=
        "\n## " + std::to_string(i + 1) + ". " + finding.severity + ": " + finding.kind + "\n\n";
    *out += InlineCode(finding.text) + "\n\n";
    *out += "- cause: " + InlineCode(finding.key) + "\n";
    if (!finding.err.empty()) *out += "- stderr: " + InlineCode(finding.err) + "\n";
    if (!finding.flaky.empty()) *out += "- flaky: " + finding.flaky + "\n";
    if (finding.like_count > 0) *out += "- like it: " + InlineCode(LikeText(finding)) + "\n";
    *out += "- cassette: " + InlineCode(finding.cassette) + "\n";
    if (!finding.also.empty()) *out += "- also: " + InlineCode(AlsoText(finding)) + "\n";
    *out += "\nInput (" + finding.sent + "):\n\n";
    for (const std::string& line : finding.input) AppendCodeLine(line, out);
    *out += "\nReplay:\n\n";
    AppendCodeLine(finding.command, out);
  }
}

}  // namespace midwire::view
