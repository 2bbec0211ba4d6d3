// SARIF for saved findings. A rule is an oracle; the fingerprint is the finding's key, so that the
// same fault of another run is the same result.
#include "view/text/sarif.h"

#include <algorithm>

#include "view/findings/saved_findings.h"

namespace midwire::view {
namespace {

std::string SarifMessageOf(const SavedFinding& finding) {
  std::string text = finding.kind + ": " + finding.text;
  if (!finding.err.empty()) text += "; stderr: " + finding.err;
  if (finding.like_count > 0) text += "; like it: " + LikeText(finding);
  return text + "; replay: " + finding.command;
}

}  // namespace

void AppendSavedSarif(std::span<const SavedFinding> findings, std::string* out) {
  SarifRun run;
  for (const SavedFinding& finding : findings) {
    const bool listed =
        std::any_of(run.rules.begin(), run.rules.end(),
                    [&](const trace::CheckedRule& rule) { return rule.id == finding.oracle; });
    if (!listed) run.rules.push_back({finding.oracle, "", finding.kind});
    run.results.push_back({.rule = finding.oracle,
                           .level = finding.severity,
                           .text = SarifMessageOf(finding),
                           .file = run.files.size(),
                           .line = 1,  // the header of the cassette, which describes it
                           .name = "",
                           .place = "",
                           .identity = finding.key});
    run.files.push_back({finding.cassette, finding.dialect});
  }
  AppendSarif(run, out);
}

}  // namespace midwire::view
