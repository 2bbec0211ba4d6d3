#include "check/rules/generic.h"

namespace midwire::check {

std::vector<std::unique_ptr<CheckRule>> GenericRules(const wire::Dialect* dialect) {
  std::vector<std::unique_ptr<CheckRule>> rules;
  rules.push_back(MakeFramingRule(dialect));
  rules.push_back(MakeShapeRule(dialect));
  rules.push_back(MakeAnswerRule());
  rules.push_back(MakeMethodRule(dialect));
  rules.push_back(MakeLifecycleRule(dialect));
  for (const wire::HandleSpec& handle : dialect->handles) rules.push_back(MakeHandleRule(&handle));
  return rules;
}

}  // namespace midwire::check
