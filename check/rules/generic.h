// The rules that apply in every dialect, one maker per file. Called by Checker through
// GenericRules, which collects them. doc/dialects.md lists the rule ids that each reports.
#pragma once

#include <memory>
#include <vector>

#include "check/rules/rule.h"

namespace midwire::check {

std::vector<std::unique_ptr<CheckRule>> GenericRules(const wire::Dialect* dialect);

std::unique_ptr<CheckRule> MakeAnswerRule();                               // answer.*, id.kept
std::unique_ptr<CheckRule> MakeShapeRule(const wire::Dialect* dialect);    // json, jsonrpc, error.*
std::unique_ptr<CheckRule> MakeFramingRule(const wire::Dialect* dialect);  // framing.*, limit.*
std::unique_ptr<CheckRule> MakeMethodRule(
    const wire::Dialect* dialect);  // method.*, params, result
std::unique_ptr<CheckRule> MakeLifecycleRule(const wire::Dialect* dialect);  // lifecycle.*
std::unique_ptr<CheckRule> MakeHandleRule(const wire::HandleSpec* handle);   // handle.NAME

}  // namespace midwire::check
