// The rule types valid and granted, and the member "also" of gate.
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

const std::string kToken = R"({"type":"valid","made":["create:/params/token","call:/params/token"],
  "answered":"create","used":"progress:/params/token",
  "ended":"progress[/params/kind=end]:/params/token"})";

std::string Create(int id) { return Ask('<', id, "create", R"({"token":"t"})"); }
std::string Report(const std::string& kind) {
  return Notify('<', "progress", R"({"token":"t","kind":")" + kind + "\"}");
}

TEST(ValidRule, FromItsAnswerToItsEnd) {
  EXPECT_EQ(FoundBy(kToken, {Create(1), Answer('>', 1), Report("begin"), Report("end"), Create(2),
                             Answer('>', 2), Report("begin")}),
            "");
}
TEST(ValidRule, BeforeItsAnswer) {
  EXPECT_EQ(FoundBy(kToken, {Create(1), Report("begin"), Answer('>', 1), Report("end")}),
            "#2 p2h /params/token: the answer to #1 first | \"t\"\n");
}
TEST(ValidRule, TheAnsweringPartyWasNotRecorded) {
  EXPECT_EQ(FoundBy(kToken, {Create(1), Report("begin"), Report("end")}), "");
}
TEST(ValidRule, AfterARefusal) {
  EXPECT_EQ(FoundBy(kToken, {Create(1), Refuse('>', 1, -1), Report("begin")}),
            "#3 p2h /params/token: none: #1 was refused | \"t\"\n");
}
TEST(ValidRule, EachValueIsReportedOnce) {
  EXPECT_EQ(FoundBy(kToken, {Create(1), Report("begin"), Report("report"), Refuse('>', 1, -1),
                             Report("report"), Report("end"), Create(2), Answer('>', 2),
                             Report("end"), Report("begin"), Report("end")}),
            "#2 p2h /params/token: the answer to #1 first | \"t\"\n"
            "#5 p2h /params/token: none: #1 was refused | \"t\"\n"
            "#10 p2h /params/token: none: that of #7 ended | \"t\"\n");
}
TEST(ValidRule, AfterItsEnd) {
  EXPECT_EQ(FoundBy(kToken, {Create(1), Answer('>', 1), Report("end"), Report("begin")}),
            "#4 p2h /params/token: none: that of #1 ended | \"t\"\n");
}
TEST(ValidRule, WithoutAnAnswerWhereNoneIsNeeded) {
  EXPECT_EQ(FoundBy(kToken, {Ask('>', 1, "call", R"({"token":"t"})"), Report("begin")}), "");
}
TEST(ValidRule, AnUnknownOneIsNotReported) {
  EXPECT_EQ(FoundBy(kToken, {Report("begin"), Create(1), Report("end"), "gap", Report("begin")}),
            "");
}
TEST(ValidRule, AllEndAfterAMethod) {
  const std::string rule = R"({"type":"valid","made":"stack:/result/*","used":"scopes:/params/f",
    "ended_by":"next"})";
  const auto scopes = [](int id) { return Ask('>', id, "scopes", R"({"f":7})"); };
  const std::vector<std::string> stack = {Ask('>', 1, "stack"), Answer('<', 1, "[7]")};
  std::vector<std::string> refused = stack, done = stack, crossed = {Ask('>', 2, "next")};
  for (const std::string& line : {Ask('>', 2, "next"), Refuse('<', 2, -1), scopes(3)}) {
    refused.push_back(line);
  }
  EXPECT_EQ(FoundBy(rule, refused), "");
  for (const std::string& line : {Ask('>', 2, "next"), Answer('<', 2), scopes(3)}) {
    done.push_back(line);
  }
  EXPECT_EQ(FoundBy(rule, done), "#5 h2p /params/f: none: that of #2 ended | 7\n");
  for (const std::string& line : {stack[0], stack[1], Answer('<', 2), scopes(3)}) {
    crossed.push_back(line);
  }
  EXPECT_EQ(FoundBy(rule, crossed), "");
}
TEST(ValidRule, ACallThatEndsNothing) {
  const std::string rule = R"({"type":"valid","made":"stack:/result/*","used":"scopes:/params/f",
    "ended_by":"next","unless":"/params/alone"})";
  EXPECT_EQ(
      FoundBy(rule, {Ask('>', 1, "stack"), Answer('<', 1, "[7]"),
                     Ask('>', 2, "next", R"({"alone":true})"), Answer('<', 2),
                     Ask('>', 3, "scopes", R"({"f":7})"), Ask('>', 4, "next", R"({"alone":false})"),
                     Answer('<', 4), Ask('>', 5, "scopes", R"({"f":7})")}),
      "#8 h2p /params/f: none: that of #2 ended | 7\n");
}
TEST(ValidRule, SeveralValuesOfOneRequest) {
  const std::string rule = R"({"type":"valid","made":"add:/params/*","answered":"add",
    "used":"drop:/params/*"})";
  EXPECT_EQ(FoundBy(rule, {Ask('<', 1, "add", R"(["a","b"])"), Refuse('>', 1, -1),
                           Ask('<', 2, "drop", R"(["a","b"])")}),
            "#3 p2h /params/0: none: #1 was refused | \"a\"\n"
            "#3 p2h /params/1: none: #1 was refused | \"b\"\n");
}

const std::string kOpen = R"({"type":"valid","made":"/params/token","life":"call","once":true})";
std::string Token(char from, int id) { return Ask(from, id, "m", R"({"token":1})"); }
TEST(ValidRule, OfAnOpenCall) {
  EXPECT_EQ(FoundBy(kOpen, {Token('>', 1), Token('>', 2), Answer('<', 1), Token('>', 3)}),
            "#2 h2p /params/token: the end of that of #1 first | 1\n"
            "#4 h2p /params/token: the end of that of #2 first | 1\n");
}
TEST(ValidRule, EndsWithItsCall) {
  EXPECT_EQ(FoundBy(kOpen, {Token('>', 1), Answer('<', 1), Token('>', 2), Refuse('<', 2, -1),
                            Token('>', 3)}),
            "");
}
TEST(ValidRule, EachPartyHasItsOwn) {
  EXPECT_EQ(FoundBy(kOpen, {Token('>', 1), Token('<', 1), Answer('>', 1), Token('<', 2)}), "");
}

TEST(ValidRule, MadeTwice) {
  const std::string rule =
      R"({"type":"valid","made":"open:/params/u","ended":"close:/params/u","once":true})";
  const std::string open = Notify('>', "open", R"({"u":"a"})");
  EXPECT_EQ(FoundBy(rule, {open, Notify('>', "close", R"({"u":"a"})"), open, open}),
            "#4 h2p /params/u: the end of that of #3 first | \"a\"\n");
}

const std::string kRegister = R"({"type":"granted","at":"register:/params/*",
  "known":"init:/params/can","grants":{"save":"init:/params/can/save/dynamic"}})";

TEST(GrantedRule, AValueWithoutItsGrant) {
  EXPECT_EQ(FoundBy(kRegister, {Ask('>', 1, "init", R"({"can":{"save":{"dynamic":false}}})"),
                                Ask('<', 1, "register", R"(["other","save"])")}),
            "#2 p2h /params/1: a grant at init:/params/can/save/dynamic | \"save\"\n");
}
TEST(GrantedRule, GrantedOrUnknown) {
  const std::string save = Ask('<', 1, "register", R"(["save",3])");
  EXPECT_EQ(FoundBy(kRegister, {save, Ask('>', 1, "init", R"({"can":{"save":{"dynamic":true}}})"),
                                save, "---", save}),
            "");
}

TEST(GateRule, AMethodThatWasRegisteredLater) {
  const std::string rule = R"({"type":"gate","methods":["save","hover"],"grant":"init:/result/save",
    "also":"register:/params/*/method"})";
  const std::vector<std::string> begin = {Ask('>', 1, "init"), Answer('<', 1, "{}")};
  const std::string registered = Ask('<', 1, "register", R"([{"method":"x"},{"method":"save"}])");
  EXPECT_EQ(FoundBy(rule, {begin[0], begin[1], Notify('>', "save"), registered, Notify('>', "save"),
                           Notify('>', "hover")}),
            "#3 h2p /method: a grant at init:/result/save | save\n"
            "#6 h2p /method: a grant at init:/result/save | hover\n");
}

TEST(ValidRule, WrongMembers) {
  for (const char* rule :
       {R"({"type":"valid","used":"/a"})", R"({"type":"valid","made":"/a"})",
        R"({"type":"valid","made":"x","once":true})",
        R"({"type":"valid","made":"/a","once":true,"life":"session"})",
        R"({"type":"valid","made":"/a","once":true,"unless":"/b"})",
        R"({"type":"valid","made":"/a","once":3})", R"({"type":"granted","at":"/a"})",
        R"({"type":"granted","grants":{"a":"/b"}})",
        R"({"type":"granted","at":"/a","grants":{"a":"b"}})",
        R"({"type":"gate","at":"/a","grant":"/b/c","also":"/d"})"}) {
    EXPECT_NE(ErrorOf(rule), "") << rule;
  }
}

}  // namespace
}  // namespace midwire::trace
