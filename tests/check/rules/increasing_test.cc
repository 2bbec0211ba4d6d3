// The rule type increasing.
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

const std::string kProgress = R"({"type":"increasing","at":"progress:/params/done",
  "by":"/params/token","reset":"/params/meta"})";

std::string Done(char sender, int token, const std::string& done) {
  return Notify(sender, "progress",
                "{\"token\":" + std::to_string(token) + ",\"done\":" + done + "}");
}

TEST(IncreasingRule, GoesBack) {
  EXPECT_EQ(FoundBy(kProgress, {Done('<', 1, "5"), Done('<', 1, "3"), Done('<', 1, "4")}),
            "#2 p2h /params/done: above 5 | 3\n");
}
TEST(IncreasingRule, StaysTheSame) {
  EXPECT_EQ(FoundBy(kProgress, {Done('<', 1, "1e1"), Done('<', 1, "10.0")}),
            "#2 p2h /params/done: above 1e1 | 10.0\n");
}
TEST(IncreasingRule, EachTokenCountsAlone) {
  EXPECT_EQ(FoundBy(kProgress, {Done('<', 1, "5"), Done('<', 2, "3"), Done('>', 1, "1"),
                                Done('<', 1, "5.5"), "---", Done('<', 1, "1")}),
            "");
}
TEST(IncreasingRule, BeginsAgainAfterAGapAndForAnotherCall) {
  EXPECT_EQ(FoundBy(kProgress, {Done('<', 1, "5"), Ask('>', 1, "call", R"({"meta":1})"),
                                Done('<', 1, "1"), "gap", Done('<', 1, "0")}),
            "");
}
TEST(IncreasingRule, AMessageThatResetsAlsoCounts) {
  const std::string rule = R"({"type":"increasing","at":["open:/params/v","change:/params/v"],
    "by":"/params/uri","reset":"open:/params/uri"})";
  const auto version = [](const std::string& method, int number) {
    return Notify('>', method, "{\"uri\":\"a\",\"v\":" + std::to_string(number) + "}");
  };
  EXPECT_EQ(FoundBy(rule, {version("open", 1), version("change", 3), version("open", 1),
                           version("change", 1)}),
            "#4 h2p /params/v: above 1 | 1\n");
}
TEST(IncreasingRule, WhatIsNoNumberOrHasNoTokenIsNotCompared) {
  EXPECT_EQ(FoundBy(kProgress, {Done('<', 1, "5"), Done('<', 1, "\"3\""),
                                Notify('<', "progress", R"({"done":1})"),
                                Done('<', 1, std::string(1000, '1')), Done('<', 1, "6")}),
            "");
}
TEST(IncreasingRule, WrongMembers) {
  for (const char* rule :
       {R"({"type":"increasing"})", R"({"type":"increasing","at":"x"})",
        R"({"type":"increasing","at":"/a","reset":"/b"})",
        R"({"type":"increasing","at":"/a","by":3})", R"({"type":"increasing","at":"/a","to":1})"}) {
    EXPECT_NE(ErrorOf(rule), "") << rule;
  }
}

}  // namespace
}  // namespace midwire::trace
