// The rule type distinct.
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

TEST(DistinctRule, OverASession) {
  const std::string rule = R"({"type":"distinct","at":"start:/params/id","session":true})";
  const auto start = [](char from, const char* id) {
    return Notify(from, "start", "{\"id\":\"" + std::string(id) + "\"}");
  };
  EXPECT_EQ(FoundBy(rule, {start('<', "a"), start('<', "b"), start('>', "a"), start('<', "a"),
                           "---", start('<', "a")}),
            "#4 p2h /params/id: another value than in #1 | \"a\"\n");
  EXPECT_EQ(FoundBy(rule, {start('<', "a"), "gap", start('<', "a")}), "");
}

TEST(DistinctRule, ARequestThatWasRefusedMayBeSentAgain) {
  const std::string rule =
      R"({"type":"distinct","at":"start:/method","session":true,"retry":true})";
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "start"), Refuse('<', 1, -1), Ask('>', 2, "start"),
                           Answer('<', 2), Ask('>', 3, "start")}),
            "#5 h2p /method: another value than in #3 | \"start\"\n");
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "start"), Ask('>', 2, "start"), Refuse('<', 2, -1),
                           Ask('>', 3, "start")}),
            "#2 h2p /method: another value than in #1 | \"start\"\n"
            "#4 h2p /method: another value than in #1 | \"start\"\n");
}

const std::string kByKey = R"({"type":"distinct","at":"update[/params/kind=new]:/params/id",
  "session":true,"by":"/params/in","reset":"load:/params/in"})";
std::string UpdateOf(const std::string& in, const std::string& kind = "new") {
  return Notify('<', "update", R"({"id":7,"in":")" + in + R"(","kind":")" + kind + "\"}");
}
TEST(DistinctRule, ByKey) {
  EXPECT_EQ(FoundBy(kByKey, {UpdateOf("a"), UpdateOf("b"), UpdateOf("a", "change"), UpdateOf("b")}),
            "#4 p2h /params/id: another value than in #2 | 7\n");
}
TEST(DistinctRule, AKeyThatStartsOver) {
  const std::string load = Ask('>', 1, "load", R"({"in":"a"})");
  EXPECT_EQ(FoundBy(kByKey, {UpdateOf("a"), UpdateOf("b"), load, UpdateOf("a"), UpdateOf("b")}),
            "#5 p2h /params/id: another value than in #2 | 7\n");
}

const std::string kPages =
    R"({"type":"distinct","at":"list:/result/items/*","page":"/params/cursor"})";
std::string Page(int id, const std::string& cursor = "") {
  return Ask('>', id, "list", cursor.empty() ? "{}" : R"({"cursor":")" + cursor + "\"}");
}
std::string Items(int id, const std::string& items) {
  return Answer('<', id, "{\"items\":" + items + "}");
}
TEST(DistinctRule, OverThePagesOfAList) {
  EXPECT_EQ(FoundBy(kPages, {Page(1), Items(1, "[1,2]"), Page(2, "b"), Items(2, "[3,1]")}),
            "#4 p2h /result/items/1: another value than in #2 | 1\n");
}
TEST(DistinctRule, AListThatIsReadAgain) {
  EXPECT_EQ(
      FoundBy(kPages, {Page(1), Items(1, "[1]"), Page(2, "b"), Items(2, "[2]"), Page(3, "b"),
                       Items(3, "[2]"), Page(4), Items(4, "[2]"), Page(5, "b"), Items(5, "[1]")}),
      "");
}
TEST(DistinctRule, TwoListsAtATime) {
  EXPECT_EQ(FoundBy(kPages, {Page(1), Page(2), Items(1, "[1]"), Items(2, "[1]"), Page(3, "b"),
                             Page(4, "b"), Items(4, "[2]"), Items(3, "[2]")}),
            "");
}
TEST(DistinctRule, TheFirstPageWasNotRecorded) {
  EXPECT_EQ(FoundBy(kPages, {Page(1, "b"), Items(1, "[1]"), Page(2, "c"), Items(2, "[2]")}), "");
}

TEST(DistinctRule, AValueThatIsThereTwice) {
  const std::string rule = R"({"type":"distinct","at":"list:/result/*/name"})";
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "list"),
                           Answer('<', 1, R"([{"name":"a"},{"name":"b"},{},{"name":"\u0061"}])"),
                           Ask('>', 2, "list"), Answer('<', 2, R"([{"name":"a"}])")}),
            "#2 p2h /result/3/name: another value than at /result/0/name | \"\\u0061\"\n");
}

TEST(DistinctRule, WrongMembers) {
  for (const char* rule :
       {R"({"type":"distinct"})", R"({"type":"distinct","at":"/a","within":"x"})",
        R"({"type":"distinct","at":"/a","by":"/b"})",
        R"({"type":"distinct","at":"/a","reset":"/b"})",
        R"({"type":"distinct","at":"/a","retry":true})",
        R"({"type":"distinct","at":"/a","session":true,"page":"/b"})"}) {
    EXPECT_NE(ErrorOf(rule), "") << rule;
  }
}

}  // namespace
}  // namespace midwire::trace
