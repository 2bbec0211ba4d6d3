#include <algorithm>
#include <tuple>

#include "check/rules/names.h"
#include "tools/check_report.h"

namespace midwire::tools {

void CheckFindings::Add(const check::Violation& finding, uint64_t number) {
  if (counts_[static_cast<int>(finding.severity)]++ >= kMaxListed) return;
  listed_.push_back({finding, finding.frame != 0 ? finding.frame : number});
}

void CheckFindings::Sort() {
  const auto key = [](const Listed& listed) {
    const check::Violation& finding = listed.finding;
    return std::tuple(finding.session, listed.place, finding.frame == 0,
                      -static_cast<int>(finding.severity));
  };
  std::stable_sort(listed_.begin(), listed_.end(),
                   [&](const Listed& a, const Listed& b) { return key(a) < key(b); });
}

uint64_t CheckFindings::count() const {
  uint64_t sum = 0;
  for (const uint64_t count : counts_) sum += count;
  return sum;
}

std::vector<CheckedRule> RulesOf(const wire::Dialect& dialect) {
  std::vector<CheckedRule> rules;
  const auto add = [&](std::string id, std::string clause, std::string_view text) {
    if (const auto own = dialect.clauses.find(id); own != dialect.clauses.end()) {
      clause = own->second;
    }
    rules.push_back({std::move(id), std::move(clause), std::string(text)});
  };
  for (const check::GenericName& name : check::GenericNames()) {
    if (name.id.ends_with('*')) continue;
    const bool lifecycle = name.id.starts_with("lifecycle.");
    add(std::string(name.id), lifecycle ? dialect.lifecycle_clause : "", name.text);
  }
  for (const wire::HandleSpec& handle : dialect.handles) {
    add("handle." + handle.name, handle.clause,
        check::TextOfRule("handle." + handle.name, dialect));
  }
  for (const wire::RuleSpec& rule : dialect.rules) add(rule.id, rule.clause, rule.text);
  return rules;
}

}  // namespace midwire::tools
