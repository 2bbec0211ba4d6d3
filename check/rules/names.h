// The generic rules by id, each with one line on what it requires: for reports that list their
// rules and for doc/dialects.md, which a test compares with this. Rules of a dialect are not in
// here.
#pragma once

#include <string_view>
#include <vector>

#include "trace/report/violation.h"
#include "wire/dialect/dialect.h"

namespace midwire::check {

struct GenericName {
  std::string_view id;
  std::string_view text;
  // Where the dialect does not say; kOff where a member of the dialect does ("batch", ...).
  wire::Severity severity;
};

// Sorted by subject. "framing.*" stands for one rule per oddity, "handle.*" for one per handle.
const std::vector<GenericName>& GenericNames();
// Whether it is one of them, an oddity's ("framing.lf-only") or one of a handle of the dialect.
bool IsGenericRule(std::string_view id, const wire::Dialect& dialect);
// What a rule asks for: of the list above, else of the dialect; "" when neither has it.
std::string_view TextOfRule(std::string_view id, const wire::Dialect& dialect);
// The rules of every dialect, then those of this one's handles, then its own.
std::vector<trace::CheckedRule> RulesOf(const wire::Dialect& dialect);

}  // namespace midwire::check
