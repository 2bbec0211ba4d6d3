#include "check/generic/generic.h"

namespace midwire::check {

std::vector<std::unique_ptr<CheckRule>> GenericRules() {
  std::vector<std::unique_ptr<CheckRule>> rules;
  rules.push_back(MakeFramingRule());
  rules.push_back(MakeShapeRule());
  rules.push_back(MakeAnswerRule());
  rules.push_back(MakeProcessRule());  // what AnswerRule says of the exit, it does not
  rules.push_back(MakeMethodRule());
  rules.push_back(MakeLifecycleRule());
  return rules;
}

}  // namespace midwire::check
