// The rule types fits and distinct.
#include <algorithm>

#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

const std::string kFits = R"({"type":"fits","at":"call:/result/data","name":"call:/params/name",
  "schemas":"list:/result/*","key":"/name","schema":"/out","required":true,
  "unless":"call:/result/failed"})";

// The findings after a list with this schema, and a call with this result.
std::string FitsIn(const std::string& schema, const std::string& result) {
  return FoundBy(kFits, {Ask('>', 1, "list"),
                         Answer('<', 1, R"([{"name":"a"},{"name":"w","out":)" + schema + "}]"),
                         Ask('>', 2, "call", R"({"name":"w"})"), Answer('<', 2, result)});
}
const std::string kNumberN =
    R"({"type":"object","required":["n"],"properties":{"n":{"type":"number"}}})";

TEST(FitsRule, AValueThatFits) { EXPECT_EQ(FitsIn(kNumberN, R"({"data":{"n":2.5}})"), ""); }
TEST(FitsRule, AValueThatDoesNotFit) {
  EXPECT_EQ(FitsIn(kNumberN, R"({"data":{"n":"2"}})"),
            "#4 p2h /result/data/n: a number (/out of \"w\") | \"2\"\n");
}
TEST(FitsRule, NoValueWhereThereIsASchema) {
  EXPECT_EQ(FitsIn(kNumberN, "{}"), "#4 p2h /result/data: a value (/out of \"w\") | \n");
}
TEST(FitsRule, AFailureIsNotChecked) { EXPECT_EQ(FitsIn(kNumberN, R"({"failed":true})"), ""); }
TEST(FitsRule, WithoutASchemaAnythingFits) {
  EXPECT_EQ(FoundBy(kFits, {Ask('>', 1, "list"), Answer('<', 1, R"([{"name":"a"},{"name":"w"}])"),
                            Ask('>', 2, "call", R"({"name":"w"})"), Answer('<', 2, "{}"),
                            Ask('>', 3, "call"), Answer('<', 3, "{}")}),
            "");
}
TEST(FitsRule, TheLatestSchemaCounts) {
  const std::string list = R"([{"name":"w","out":{"type":"string"}}])";
  EXPECT_EQ(
      FoundBy(kFits, {Ask('>', 1, "list"), Answer('<', 1, list), Ask('>', 2, "list"),
                      Answer('<', 2, R"([{"name":"w","out":{"type":"number"}}])"),
                      Ask('>', 3, "call", R"({"name":"w"})"), Answer('<', 3, R"({"data":1})")}),
      "");
}
TEST(FitsRule, ASchemaThatIsNotSupportedIsNoted) {
  const std::string found = FitsIn(R"({"if":{}})", R"({"data":1})");
  EXPECT_EQ(found.substr(0, 22), "#2 p2h /result/1/out: ") << found;
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 1) << found;
  EXPECT_NE(found.find("(note)"), std::string::npos) << found;
}
TEST(FitsRule, WhatIsInTheCall) {
  const std::string rule = R"({"type":"fits","at":"call:/params/with","name":"call:/params/name",
    "schemas":"list:/result/*","key":"/name","schema":"/in"})";
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "list"),
                           Answer('<', 1, R"([{"name":"w","in":{"type":"string"}}])"),
                           Ask('>', 2, "call", R"({"name":"w","with":1})")}),
            "#3 h2p /params/with: a string (/in of \"w\") | 1\n");
}

TEST(DistinctRule, AValueThatIsThereTwice) {
  const std::string rule = R"({"type":"distinct","at":"list:/result/*/name"})";
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "list"),
                           Answer('<', 1, R"([{"name":"a"},{"name":"b"},{},{"name":"\u0061"}])"),
                           Ask('>', 2, "list"), Answer('<', 2, R"([{"name":"a"}])")}),
            "#2 p2h /result/3/name: another value than at /result/0/name | \"\\u0061\"\n");
}

TEST(FitsRule, WrongMembers) {
  for (const char* rule :
       {R"({"type":"fits"})",
        R"({"type":"fits","at":"/a","name":"/b","schemas":"/c","schema":"/e"})",
        R"({"type":"fits","at":"/a","name":"/b","schemas":"/c","key":"d","schema":"/e"})",
        R"({"type":"fits","at":"/a","name":"/b","schemas":"/c","key":"/d"})",
        R"({"type":"distinct"})", R"({"type":"distinct","at":"/a","within":"x"})"}) {
    EXPECT_NE(ErrorOf(rule), "") << rule;
  }
}

}  // namespace
}  // namespace midwire::trace
