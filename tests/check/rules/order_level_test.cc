// The rule types requires, closed, order, during, level and either.
#include "tests/check/plain.h"
#include "tests/check/rules/rule_conversation.h"

namespace midwire::trace {
namespace {

TEST(RequiresRule, MethodNotFound) {
  const std::string rule = R"({"type":"requires","methods":["health"]})";
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "health"), Refuse('<', 1, -32601)}),
            "#2 p2h /error/code: an answer to health | -32601\n");
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "health"), Refuse('<', 1, -32603), Ask('>', 2, "other"),
                           Refuse('<', 2, -32601), Ask('>', 3, "health"), Answer('<', 3)}),
            "");
}
TEST(RequiresRule, AnErrorWithoutACode) {
  const std::string error = R"(< {"id":1,"error":{"message":"no such method"}})";
  EXPECT_EQ(FoundBy(R"({"type":"requires","methods":["health"]})", {Ask('>', 1, "health"), error}),
            "");
  EXPECT_EQ(FoundBy(R"({"type":"requires","methods":["health"],"without_code":true})",
                    {Ask('>', 1, "health"), error}),
            "#2 p2h /error: an answer to health | {\"message\":\"no such method\"}\n");
}

TEST(RequiresRule, AMethodThatWasDeclared) {
  const std::string rule = R"({"type":"requires","grants":{"list":"init:/result/has/list",
    "get":"init:/result/has/get"}})";
  const std::vector<std::string> refused = {Ask('>', 2, "list"), Refuse('<', 2, -32601),
                                            Ask('>', 3, "get"), Refuse('<', 3, -32601)};
  std::vector<std::string> lines = {Ask('>', 1, "init"), Answer('<', 1, R"({"has":{"list":{}}})")};
  EXPECT_EQ(FoundBy(rule, refused), "");
  lines.insert(lines.end(), refused.begin(), refused.end());
  EXPECT_EQ(FoundBy(rule, lines),
            "#4 p2h /error/code: an answer to list (init:/result/has/list) | -32601\n");
  lines[3] = Refuse('<', 2, -32602);
  EXPECT_EQ(FoundBy(rule, lines), "");
}

const std::string kClosed = R"({"type":"closed","after":["bye"],"code":-32600,"asking":"off"})";
TEST(ClosedRule, ARequestAfterTheLastOne) {
  EXPECT_EQ(FoundBy(kClosed, {Ask('>', 1, "bye"), Ask('>', 2, "m"), Answer('<', 1), Answer('<', 2),
                              Ask('>', 3, "m"), Refuse('<', 3, -32601), Ask('>', 4, "bye"),
                              Refuse('<', 4, -32600), Ask('<', 1, "of"), Answer('>', 1)}),
            "#4 p2h /result: error -32600 to m | a result\n"
            "#6 p2h /error/code: error -32600 to m | -32601\n");
}
TEST(ClosedRule, WhatWasRequestedBeforeOrWhereTheLastOneWasRefused) {
  EXPECT_EQ(
      FoundBy(kClosed, {Ask('>', 1, "m"), Ask('>', 2, "bye"), Answer('<', 2), Answer('<', 1), "---",
                        Ask('>', 1, "bye"), Refuse('<', 1, -1), Ask('>', 2, "m"), Answer('<', 2)}),
      "");
}

TEST(OrderRule, BeforeItWasAnswered) {
  const std::string rule = R"({"type":"order","before":"initialize","after":["storage/*"]})";
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "initialize"), Ask('<', 1, "storage/get"), Answer('<', 1),
                           Ask('<', 2, "storage/get")}),
            "#2 p2h /method: initialize first | storage/get\n");
  EXPECT_EQ(
      FoundBy(rule, {Ask('>', 1, "initialize"), Refuse('<', 1, -1), Notify('<', "storage/x")}),
      "#3 p2h /method: initialize first | storage/x\n");
  EXPECT_EQ(FoundBy(rule, {Notify('>', "ping"), "part 2", Ask('<', 1, "storage/get")}), "");
}
TEST(OrderRule, EachMethodIsReportedOnceAParty) {
  EXPECT_EQ(FoundBy(R"({"type":"order","before":"init","after":["x","y"]})",
                    {Notify('>', "x"), Notify('>', "x"), Notify('>', "y"), Notify('<', "x"), "---",
                     Notify('>', "x")}),
            "#1 h2p /method: init first | x\n#3 h2p /method: init first | y\n"
            "#4 p2h /method: init first | x\n#5 h2p /method: init first | x\n");
}
TEST(OrderRule, SaysWhatBecameOfTheFirst) {
  const auto text = [](const std::vector<std::string>& lines) {
    RuleConversation conversation({R"({"type":"order","before":"init","after":"x"})"});
    for (const std::string& line : lines) conversation.Add(line);
    return conversation.texts;
  };
  EXPECT_EQ(text({Notify('>', "x")}), "x was sent before init\n");
  EXPECT_EQ(text({Ask('>', 1, "init"), Notify('<', "x")}),
            "x was sent before the answer to init\n");
  EXPECT_EQ(text({Ask('>', 1, "init"), Refuse('<', 1, -1), Notify('>', "x")}),
            "x was sent although init was answered with an error\n");
}
// Two streams that were recorded apart: only the order of one party is known.
TEST(OrderRule, WithoutAnOrderBetweenTheDirections) {
  const std::string apart =
      "note imported from x, which lacks: times, the order between the directions (a guess)";
  EXPECT_EQ(FoundBy(R"({"type":"order","before":"init","after":["x"]})",
                    {apart, Ask('>', 1, "init"), Notify('<', "x"), Answer('<', 1)}),
            "");
  EXPECT_EQ(FoundBy(R"({"type":"during","methods":"x","open":"init"})",
                    {apart, Notify('<', "x"), Ask('>', 1, "init"), Answer('<', 1)}),
            "");
  EXPECT_EQ(FoundBy(R"({"type":"valid","made":"a:/params/t","used":"x:/params/t","answered":"a"})",
                    {apart, Ask('>', 1, "a", R"({"t":1})"), Notify('<', "x", R"({"t":1})")}),
            "");
  const std::string log =
      std::string("event {\"event\":\"note\",\"text\":\"") + apart.substr(5) + "\"}\n";
  EXPECT_EQ(Found(R"("jsonrpc":"off","unknown_methods":"off","severities":{"answer.missing":"off"},
    "lifecycle":{"first":["init"],"before_ready":"must"},
    "handles":[{"name":"t","made":["init:/result/t"],"used":["x:/params/t"]}])",
                  log + R"(-> {"id":1,"method":"init"}
    -> {"id":2,"method":"y"}
    <- {"id":3,"method":"x","params":{"t":1}}
    -> {"method":"x","params":{"t":2}}
    <- {"id":1,"result":{"t":1}})"),
            "must handle.t 4 x /params/t: got 2\n");
  EXPECT_EQ(Found(R"("jsonrpc":"off","unknown_methods":"off",
    "methods":{"init":{"from":"host","kind":"request"}},
    "rules":[{"id":"r","type":"order","before":"init","after":["x"]}])",
                  log + "-> {\"method\":\"x\"}\n"),
            "must r 1 x /method: expected init first, got x\n");
}
TEST(OrderRule, ANotificationIsDoneAtOnce) {
  EXPECT_EQ(FoundBy(R"({"type":"order","before":"initialized","after":["*"]})",
                    {Notify('>', "initialized"), Notify('>', "b"), "---", Notify('>', "b")}),
            "#3 h2p /method: initialized first | b\n");
}

const std::string kTurn = R"({"type":"during","at":"update:/params/what","is":["text","tool"],
  "open":["prompt"]})";

std::string Update(const std::string& what) {
  return Notify('<', "update", "{\"what\":\"" + what + "\"}");
}

TEST(DuringRule, AValueThatNeedsAnOpenRequest) {
  EXPECT_EQ(FoundBy(kTurn, {Ask('>', 1, "prompt"), Update("text"), Answer('<', 1), Update("tool")}),
            "#4 p2h /params/what: an open prompt | \"tool\"\n");
}
TEST(DuringRule, OtherValuesMayComeAtAnyTime) {
  EXPECT_EQ(FoundBy(kTurn, {Update("commands"), Notify('<', "update"), Notify('<', "other")}), "");
}
TEST(DuringRule, AnyValueNeedsItWithoutAList) {
  EXPECT_EQ(FoundBy(R"({"type":"during","at":"update:/params/what","open":["prompt"]})",
                    {Update("commands"), Notify('<', "update")}),
            "#1 p2h /params/what: an open prompt | \"commands\"\n");
}

TEST(DuringRule, OfAHandleThatWasNeverMadeItSaysNothing) {
  const std::string members = std::string(kPlain) + R"(,
    "handles":[{"name":"room","made":["open:/result/room"],"used":["update:/params/room"]}],
    "rules":[{"id":"turn","type":"during","methods":["update"],"open":["prompt"]}])";
  const std::string unknown = "<- {\"method\":\"update\",\"params\":{\"room\":2}}\n";
  EXPECT_EQ(Found(members, "-> {\"method\":\"m\"}\n" + unknown + unknown),
            "must handle.room 2 update /params/room: got 2\n");
  EXPECT_EQ(Found(members + R"(,"severities":{"handle.room":"off"})", unknown),
            "must turn 1 update /method: expected an open prompt, got update\n");
}

const std::string kLevel = R"({"type":"level","at":"log:/params/level",
  "values":["debug","info","warn"],"minimum":"init:/params/log"})";

std::string Log(const std::string& level) {
  return Notify('<', "log", "{\"level\":\"" + level + "\"}");
}

TEST(LevelRule, ALevelThatIsNone) {
  EXPECT_EQ(FoundBy(kLevel,
                    {Log("debug"), Log("INFO"), Log("loud"), Notify('<', "log", R"({"level":3})")}),
            "#3 p2h /params/level: one of debug, info, warn | \"loud\"\n"
            "#4 p2h /params/level: one of debug, info, warn | 3\n");
}
TEST(LevelRule, BelowWhatWasRequested) {
  EXPECT_EQ(FoundBy(kLevel, {Ask('>', 1, "init", R"({"log":"info"})"), Log("debug"), Answer('<', 1),
                             Log("info"), Log("debug")}),
            "#5 p2h /params/level: info or above | \"debug\"\n");
}
TEST(LevelRule, ALowerOneHoldsAtOnceAHigherOneFromTheAnswer) {
  EXPECT_EQ(FoundBy(kLevel, {Ask('>', 1, "init", R"({"log":"info"})"), Answer('<', 1),
                             Ask('>', 2, "init", R"({"log":"debug"})"), Log("debug"),
                             Answer('<', 2), Ask('>', 3, "init", R"({"log":"warn"})"), Log("info"),
                             Answer('<', 3), Log("info"), "---", Log("debug")}),
            "#9 p2h /params/level: warn or above | \"info\"\n");
}

TEST(LevelRule, ALevelThatTheSchemaRefusesIsOneMistake) {
  const std::string members = std::string(kPlain) + R"(,
    "methods":{"log":{"from":"plugin","kind":"notification","params":{
      "type":"object","properties":{"level":{"enum":["info"]}}}}},
    "rules":[{"id":"level","type":"level","at":"log:/params/level","values":["info"]}])";
  EXPECT_EQ(Found(members, "<- {\"method\":\"log\",\"params\":{\"level\":\"loud\"}}\n"),
            "must params 1 log /params/level: expected \"info\", got \"loud\"\n");
  EXPECT_EQ(Found(members + R"(,"severities":{"params":"off"})",
                  "<- {\"method\":\"log\",\"params\":{\"level\":\"loud\"}}\n"),
            "must level 1 log /params/level: expected one of info, got \"loud\"\n");
}

TEST(EitherRule, AtLeastOne) {
  const std::string rule = R"({"type":"either","at":"search:/params","members":["isbn","query"]})";
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "search", R"({"isbn":"1","query":"x"})"),
                           Ask('>', 2, "search", R"({"\u0069sbn":"1"})"), Ask('>', 3, "other")}),
            "");
  const std::string none = " h2p /params: at least one of isbn, query | none\n";
  EXPECT_EQ(FoundBy(rule, {Ask('>', 1, "search", R"({"isbn":null,"limit":5})"),
                           R"(> {"id":2,"method":"search"})", Ask('>', 3, "search", "null"),
                           Ask('>', 4, "search", "[]"), Answer('<', 1)}),
            "#1" + none + "#2" + none + "#3" + none);
}
TEST(EitherRule, ExactlyOne) {
  const std::string rule = R"({"type":"either","at":"call:/params/args/*","exactly":true,
    "members":["value","items","entries"]})";
  EXPECT_EQ(
      FoundBy(rule, {Ask('>', 1, "call", R"({"args":[{"value":1},{"value":1,"items":[]},{}]})"),
                     Ask('>', 2, "call")}),
      "#1 h2p /params/args/1: exactly one of value, items, entries | value, items\n"
      "#1 h2p /params/args/2: exactly one of value, items, entries | none\n");
}

}  // namespace
}  // namespace midwire::trace
