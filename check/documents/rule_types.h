// The rule types about documents, for check::MakeRule (doc/dialects.md has their members). Called
// by Checker. They are here, not among check/rules, because they share the text of open documents.
#pragma once

#include <span>

#include "check/rules/types.h"

namespace midwire::check {

std::span<const RuleType> DocumentRuleTypes();

RuleMaker MakePositionsRule, MakeUriRule;

}  // namespace midwire::check
