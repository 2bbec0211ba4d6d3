// The rule types followed, length and base64.
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

const std::string kExit = R"({"type":"followed","after":"shutdown","by":["exit","quit"]})";

TEST(FollowedRule, WhatMustFollowCame) {
  EXPECT_EQ(FoundBy(kExit, {Ask('>', 1, "shutdown"), Answer('<', 1), Notify('>', "quit"), "---"}),
            "");
}
TEST(FollowedRule, NothingFollowed) {
  EXPECT_EQ(FoundBy(kExit, {Ask('>', 1, "shutdown"), Answer('<', 1), "eof", "exit 0", "---"}),
            "#1 h2p : exit after it | the end of the session\n");
}
TEST(FollowedRule, ThePluginExitedBefore) {
  EXPECT_EQ(FoundBy(kExit, {Ask('>', 1, "shutdown"), Answer('<', 1), "exit 0", "eof", "---"}),
            "#1 h2p : exit after it | the plugin's exit 0\n");
}
TEST(FollowedRule, TheHostKilledIt) {
  EXPECT_EQ(
      FoundBy(kExit, {Ask('>', 1, "shutdown"), Answer('<', 1), "signal 9", "killed 9", "---"}),
      "#1 h2p : exit after it | the end of the session\n");
}
TEST(FollowedRule, OnlyAfterASuccess) {
  EXPECT_EQ(FoundBy(kExit, {Ask('>', 1, "shutdown"), "---", Ask('>', 1, "shutdown"),
                            Refuse('<', 1, -1), "---", Notify('>', "other"), "---"}),
            "");
}
TEST(FollowedRule, NotWhereSomethingIsMissing) {
  EXPECT_EQ(FoundBy(kExit, {Ask('>', 1, "shutdown"), Answer('<', 1), "gap", "---"}), "");
}
TEST(FollowedRule, EachNeedsItsOwn) {
  EXPECT_EQ(FoundBy(kExit,
                    {Notify('>', "shutdown"), Notify('>', "exit"), Notify('>', "shutdown"), "---"}),
            "#3 h2p : exit after it | the end of the session\n");
}

const std::string kItems = R"({"type":"length","at":"ask:/result","of":"/params/items"})";
std::string AskItems(const std::string& items) {
  return Ask('<', 1, "ask", "{\"items\":" + items + "}");
}

TEST(LengthRule, AsMany) {
  EXPECT_EQ(FoundBy(kItems, {AskItems("[1,[2,3]]"), Answer('>', 1, "[null,null]")}), "");
}
TEST(LengthRule, TooFewOrTooMany) {
  EXPECT_EQ(FoundBy(kItems, {AskItems("[1,2]"), Answer('>', 1, "[1]"), AskItems("[]"),
                             Answer('>', 1, "[1]")}),
            "#2 h2p /result: 2 elements, as many as /params/items | 1\n"
            "#4 h2p /result: 0 elements, as many as /params/items | 1\n");
}
TEST(LengthRule, WhatIsNoArrayIsNotChecked) {
  EXPECT_EQ(FoundBy(kItems, {AskItems("7"), Answer('>', 1, "[]"), AskItems("[1]"), Answer('>', 1),
                             AskItems("[1]"), Refuse('>', 1, -1), Ask('<', 1, "ask"),
                             Answer('>', 1, "[1]")}),
            "");
}
TEST(LengthRule, OfSeveralArrays) {
  const std::string rule =
      R"({"type":"length","at":"ask:/result","of":["/params/a","/params/b"],"empty":true})";
  const std::string ask = Ask('<', 1, "ask", R"({"a":[1],"b":[2]})");
  EXPECT_EQ(FoundBy(rule, {ask, Answer('>', 1, "[1,2]"), ask, Answer('>', 1, "[]"), ask,
                           Answer('>', 1, "[1]")}),
            "#6 h2p /result: 2 elements, as many as /params/a | 1\n");
}
TEST(LengthRule, WithoutAMember) {
  const std::string rule =
      R"({"type":"length","at":"ask:/result","of":"/params/items","without":"/params/token"})";
  EXPECT_EQ(FoundBy(rule, {Ask('<', 1, "ask", R"({"items":[1],"token":7})"), Answer('>', 1, "[]")}),
            "");
}
TEST(LengthRule, AMultiple) {
  const std::string rule = R"({"type":"length","at":"ask:/result/data","multiple":5})";
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "ask"), Answer('<', 1, R"({"data":[0,0,3,0,0]})"),
                           Ask('>', 2, "ask"), Answer('<', 2, R"({"data":[1,2,3,4]})")}),
            "#4 p2h /result/data: a multiple of 5 elements | 4\n");
}

// What is found of a text.
std::string Base64Of(const std::string& text) {
  const std::string found = FoundBy(R"({"type":"base64","at":"show:/params/*/data"})",
                                    {Notify('<', "show", "[{\"data\":\"" + text + "\"},{}]")});
  const std::string place = "#1 p2h /params/0/data: ";
  return found.starts_with(place) ? found.substr(place.size(), found.size() - place.size() - 1)
                                  : found;
}

TEST(Base64Rule, WhatIsBase64) {
  for (const char* text : {"", "AAAA", "AAA=", "AA==", "+/09", R"(\/\/8=)", R"(\u0041AAA)"}) {
    EXPECT_EQ(Base64Of(text), "") << text;
  }
}
TEST(Base64Rule, TheUsualMistakes) {
  EXPECT_EQ(Base64Of("data:image/png;base64,AAAA"),
            "base64 without a data URL in front of it | data:image/png;base64,AAAA (byte 0)");
  EXPECT_EQ(Base64Of("AA-_"), "base64 with + and /, not with the alphabet of URLs | AA-_ (byte 2)");
  EXPECT_EQ(Base64Of("AAA"),
            "base64 with as many \"=\" as make its length a multiple of 4 | AAA (byte 3)");
  EXPECT_EQ(Base64Of(R"(AAAA\nAAAA)"), "base64 without blanks and line ends | AAAA\nAAAA (byte 4)");
  EXPECT_EQ(Base64Of("/tmp/a.png"), "base64 | /tmp/a.png (byte 6)");
  EXPECT_EQ(Base64Of("AA=A"), "base64 | AA=A (byte 2)");
}
TEST(Base64Rule, ALongTextIsCut) {
  const std::string found = Base64Of(std::string(1000, 'A') + "!" + std::string(1000, 'A'));
  EXPECT_EQ(found,
            "base64 | ..." + std::string(16, 'A') + "!" + std::string(31, 'A') + " (byte 1000)");
}
TEST(Base64Rule, WhatIsNoStringIsNotChecked) {
  EXPECT_EQ(FoundBy(R"({"type":"base64","at":"/params"})", {Notify('<', "show", "{\"a\":1}")}), "");
}

TEST(LengthRule, WrongMembers) {
  for (const char* rule :
       {R"({"type":"length","at":"/a"})", R"({"type":"length","at":"/a","of":"/b","multiple":2})",
        R"({"type":"length","at":"/a","multiple":0})", R"({"type":"length","of":"/a"})",
        R"({"type":"length","at":"/a","multiple":2,"empty":true})",
        R"({"type":"followed","after":"m"})", R"({"type":"followed","by":"m"})",
        R"({"type":"followed","after":"m","by":"n","within":3})", R"({"type":"base64"})",
        R"({"type":"base64","at":"x"})"}) {
    EXPECT_NE(ErrorOf(rule), "") << rule;
  }
}

}  // namespace
}  // namespace midwire::trace
