// The rules that apply in every dialect, one maker per file. Called by Checker through
// GenericRules, which collects them. doc/dialects.md lists the rule ids that each reports.
#pragma once

#include <memory>
#include <vector>

#include "check/rules/rule.h"

namespace midwire::check {

// Without those of handles. They read the dialect from the report.
std::vector<std::unique_ptr<CheckRule>> GenericRules();

// Whether a host sends the signal to end its plugin: HUP, INT, QUIT, KILL, TERM.
bool AsksToEnd(int signal);

std::unique_ptr<CheckRule> MakeAnswerRule();     // answer.*, id.kept
std::unique_ptr<CheckRule> MakeShapeRule();      // json, jsonrpc, error.*
std::unique_ptr<CheckRule> MakeFramingRule();    // framing.*, limit.*
std::unique_ptr<CheckRule> MakeMethodRule();     // method.*, params, result
std::unique_ptr<CheckRule> MakeLifecycleRule();  // lifecycle.*
std::unique_ptr<CheckRule> MakeProcessRule();    // process.*
std::unique_ptr<CheckRule> MakeHandleRule(const wire::HandleSpec* handle,
                                          PlaceTree* places);  // handle.NAME

}  // namespace midwire::check
