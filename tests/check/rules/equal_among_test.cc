// The rule types equal and among.
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

TEST(EqualRule, AConstant) {
  const std::string rule = R"({"type":"equal","at":"init:/result/abi","value":2})";
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "init"), Answer('<', 1, R"({"abi":2.0})")}), "");
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "init"), Answer('<', 1, "{}")}), "");
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "init"), Answer('<', 1, R"({"abi":"2"})")}),
            "#2 p2h /result/abi: 2 | \"2\"\n");
}
TEST(EqualRule, AConstantOfManyParts) {
  const std::string rule =
      R"({"type":"equal","at":"m:/params/*","value":{"a":[1,null,true],"b":"\u00e9\n"}})";
  EXPECT_EQ(FoundBy(rule, {Notify('>', "m", R"([{"b":"é\u000a","a":[1.0,null,true]}])")}), "");
  EXPECT_EQ(FoundBy(rule, {Notify('>', "m", R"([{"b":"é\n","a":[1,null]},3])")}),
            "#1 h2p /params/0: {\"a\":[1,null,true],\"b\":\"é\\n\"} | "
            "{\"b\":\"é\\n\",\"a\":[1,null]}\n"
            "#1 h2p /params/1: {\"a\":[1,null,true],\"b\":\"é\\n\"} | 3\n");
}
TEST(EqualRule, AtAnIndexAndAtAnEscapedName) {
  EXPECT_EQ(FoundBy(R"({"type":"equal","at":"m:/params/1/a~1b","value":1})",
                    {Notify('>', "m", R"([{"a/b":7},{"a\/b":8},{"a/b":9}])")}),
            "#1 h2p /params/1/a~1b: 1 | 8\n");
}
TEST(EqualRule, WhatTheRequestHad) {
  const std::string rule = R"({"type":"equal","at":"hello:/result/v","request":"/params/v"})";
  EXPECT_EQ(
      FoundBy(rule, {Ask('>', 1, "hello", R"({"v":"1"})"), Ask('>', 2, "hello", R"({"v":"2"})"),
                     Answer('<', 2, R"({"v":"2"})"), Answer('<', 1, R"({"v":"2"})")}),
      "#4 p2h /result/v: \"1\" | \"2\"\n");
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "hello", R"({"v":"1"})"), Answer('<', 1, R"({"v":"1"})"),
                           Ask('>', 2, "hello"), Answer('<', 2, R"({"v":"2"})")}),
            "");
}
TEST(EqualRule, TheLatestElsewhere) {
  const std::string rule =
      R"({"type":"equal","at":"event:/params/v","as":"init:/result/versions/event"})";
  EXPECT_EQ(FoundBy(rule, {Notify('>', "event", R"({"v":9})"), Ask('>', 1, "init"),
                           Answer('<', 1, R"({"versions":{"event":3}})"),
                           Notify('>', "event", R"({"v":3})"), Notify('>', "event", R"({"v":4})"),
                           "---", Notify('>', "event", R"({"v":4})")}),
            "#5 h2p /params/v: 3 | 4\n");
}

TEST(EqualRule, LongTextsAreCutAroundTheirDifference) {
  const std::string rule = R"({"type":"equal","at":"get:/result/v","request":"/params/v"})";
  const std::string long_text(300, 'x');
  const auto params = [&](const std::string& end) {
    return "{\"v\":\"" + long_text + "\\nsecond " + end + "\"}";
  };
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "get", params("line")), Answer('<', 1, params("try"))}),
            "#2 p2h /result/v: ...line\" | ...try\" (line 2)\n");
}
TEST(EqualRule, AValueThatIsTooLongToKeepIsShownFromItsBeginning) {
  const std::string rule = R"({"type":"equal","at":"get:/result/v","request":"/params/v"})";
  const std::string huge = "{\"v\":\"" + std::string(300'000, 'x');
  const std::string found =
      FoundBy(rule, {Ask('>', 1, "get", huge + "1\"}"), Answer('<', 1, huge + "2\"}")});
  EXPECT_TRUE(found.starts_with("#2 p2h /result/v: \"xxx")) << found;
  EXPECT_LT(found.size(), 400u);
}

TEST(AmongRule, NamesThatWereListed) {
  const std::string rule = R"({"type":"among","at":"call:/params/name",
    "of":["hello:/result/functions/*/name"],"known":"hello:/result/functions"})";
  const std::string call = Ask('>', 2, "call", R"({"name":"greet"})");
  const auto hello = [](const std::string& functions) {
    return Answer('<', 1, "{\"functions\":" + functions + "}");
  };
  EXPECT_EQ(
      FoundBy(rule, {Ask('>', 1, "hello"), hello(R"([{"name":"a"},{"name":"gr\u0065et"}])"), call}),
      "");
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "hello"), hello(R"([{"name":"a"}])"), call}),
            "#3 h2p /params/name: a value sent at hello:/result/functions/*/name | \"greet\"\n");
  EXPECT_NE(FoundBy(rule, {Ask('>', 1, "hello"), hello("[]"), call}), "");
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "hello"), Answer('<', 1, "{}"), call}), "");
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "hello"), hello("[]"), "---", call}), "");
}
TEST(AmongRule, SeveralPlaces) {
  const std::string rule = R"({"type":"among","at":"event:/params/topic",
    "of":["subscribe:/params/topic","init:/result/subscribes/*"]})";
  EXPECT_EQ(FoundBy(rule, {Notify('>', "event", R"({"topic":"x"})"), Ask('>', 1, "init"),
                           Answer('<', 1, R"({"subscribes":["a"]})"),
                           Ask('<', 1, "subscribe", R"({"topic":"b"})"),
                           Notify('>', "event", R"({"topic":"a"})"),
                           Notify('>', "event", R"({"topic":"b"})"),
                           Notify('>', "event", R"({"topic":"c"})")}),
            "#7 h2p /params/topic: a value sent at subscribe:/params/topic | \"c\"\n");
}

}  // namespace
}  // namespace midwire::trace
