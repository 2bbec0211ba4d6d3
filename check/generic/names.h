// The generic rules by id, each with one line on what it requires: for reports that list their
// rules and for doc/dialects.md, which a test compares with this. Never lists the rules of a
// dialect's own.
#pragma once

#include <string_view>
#include <vector>

#include "trace/report/violation.h"
#include "wire/dialect/dialect.h"

namespace midwire::check {

struct GenericName {
  std::string_view id;
  std::string_view text;
  // The default; kOff where a member of the dialect sets it ("batch", ...).
  wire::Severity severity;
};

// Sorted by subject. "framing.*" stands for one rule per oddity, "handle.*" for one per handle.
const std::vector<GenericName>& GenericNames();
// Whether the id is in this list, or is that of an oddity ("framing.lf-only") or of a handle of the
// dialect.
bool IsGenericRule(std::string_view id, const wire::Dialect& dialect);
// What a rule requires, from the list above or else from the dialect; "" when neither has it.
std::string_view TextOfRule(std::string_view id, const wire::Dialect& dialect);
// The generic rules (those on DAP's messages only of DAP), then those of the dialect's handles,
// then the dialect's own; with those of its revisions, each id once.
std::vector<trace::CheckedRule> RulesOf(const wire::Dialect& dialect);

}  // namespace midwire::check
