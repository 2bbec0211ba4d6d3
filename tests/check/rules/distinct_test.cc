// The rule type distinct.
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

TEST(DistinctRule, AValueThatIsThereTwice) {
  const std::string rule = R"({"type":"distinct","at":"list:/result/*/name"})";
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "list"),
                           Answer('<', 1, R"([{"name":"a"},{"name":"b"},{},{"name":"\u0061"}])"),
                           Ask('>', 2, "list"), Answer('<', 2, R"([{"name":"a"}])")}),
            "#2 p2h /result/3/name: another value than at /result/0/name | \"\\u0061\"\n");
}

TEST(DistinctRule, WrongMembers) {
  for (const char* rule :
       {R"({"type":"distinct"})", R"({"type":"distinct","at":"/a","within":"x"})"}) {
    EXPECT_NE(ErrorOf(rule), "") << rule;
  }
}

}  // namespace
}  // namespace midwire::trace
