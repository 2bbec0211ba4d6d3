// Generic rules of methods, lifecycle, handles and cut-off sessions; dialects as a whole.
#include "check/checker.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "check/generic/names.h"
#include "tests/check/plain.h"
#include "tests/paths.h"

namespace midwire::trace {
namespace {

constexpr char kMethods[] = R"("jsonrpc": "off", "methods": {
  "ask": {"from": "host", "kind": "request", "clause": "3.1", "params_required": true,
          "params": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}},
          "result": {"type": "object", "properties": {"list": {"items": {"type": "string"}}}}},
  "tell": {"from": "plugin", "kind": "notification"},
  "any/*": {"from": "both", "kind": "either"}})";

TEST(CheckMethodsTest, AsTheyAre) {
  EXPECT_EQ(Found(kMethods, R"(
    -> {"id":1,"method":"ask","params":{"n":1}}
    <- {"method":"tell"}
    <- {"id":1,"result":{"list":["a"]}}
    <- {"method":"any/thing"}
    -> {"id":2,"method":"any/how"}
    <- {"id":2,"error":{"code":-32603,"message":"no"}}
  )"),
            "");
}

TEST(CheckMethodsTest, UnknownOfTheWrongPartyOfTheWrongKind) {
  EXPECT_EQ(Found(kMethods, R"(
    -> {"method":"other"}
    -> {"method":"tell"}
    -> {"method":"ask","params":{"n":1}}
  )"),
            "should method.unknown 1 other /method\n"
            "must method.direction 2 tell /method: expected the plugin, got the host\n"
            "must method.kind 3 ask /id: expected a request, got a notification\n");
}

TEST(CheckMethodsTest, InAnotherSpelling) {
  constexpr char kSpelt[] = R"("jsonrpc": "off", "unknown_methods": "note", "methods": {
    "x/list": {"from": "host", "kind": "request"},
    "notes/prepared": {"from": "host", "kind": "notification"}})";
  EXPECT_EQ(Found(kSpelt, R"(
    -> {"id":1,"method":"X/List"}
    <- {"id":1,"error":{"code":-32601,"message":"no"}}
    -> {"method":"prepared"}
    -> {"id":2,"method":"x_list"}
    <- {"id":2,"result":1}
  )"),
            "should method.spelling 1 X/List /method: expected x/list, got X/List\n"
            "should method.spelling 3 prepared /method: expected notes/prepared, got prepared\n"
            "should method.spelling 4 x_list /method: expected x/list, got x_list\n");
}

TEST(CheckMethodsTest, UnknownOnesThatOnlyLookAlike) {
  constexpr char kAlike[] = R"("jsonrpc": "off", "unknown_methods": "note", "methods": {
    "a/list": {"from": "host", "kind": "request"}, "b/list": {"from": "host", "kind": "request"},
    "notes/prepared": {"from": "plugin", "kind": "notification"}})";
  EXPECT_EQ(Found(kAlike, R"(
    -> {"method":"prepared"}
    -> {"id":1,"method":"list"}
    <- {"id":1,"result":1}
    -> {"method":"a/lists"}
  )"),
            "note method.unknown 1 prepared /method\n"
            "note method.unknown 2 list /method\n"
            "note method.unknown 4 a/lists /method\n");
}

TEST(CheckMethodsTest, APrivateMethodWithTheEndOfAKnownName) {
  constexpr char kEnds[] = R"("jsonrpc": "off", "unknown_methods": "note", "methods": {
    "prompts/get": {"from": "host", "kind": "request"},
    "notes/message": {"from": "plugin", "kind": "notification"}})";
  EXPECT_EQ(Found(kEnds, R"(
    -> {"id":1,"method":"get"}
    <- {"id":1,"result":1}
    <- {"method":"message"}
  )"),
            "note method.unknown 1 get /method\n"
            "note method.unknown 3 message /method\n");
}

TEST(CheckMethodsTest, ParamsAndResults) {
  EXPECT_EQ(Found(kMethods, R"(
    -> {"id":1,"method":"ask"}
    <- {"id":1,"result":7}
    -> {"id":2,"method":"ask","params":{"n":"1"}}
    <- {"id":2,"result":{"list":["a",2]}}
  )"),
            "must params 1 ask /params\n"
            "must result 2 ask /result: expected an object, got 7\n"
            "must params 3 ask /params/n: expected an integer, got \"1\"\n"
            "must result 4 ask /result/list/1: expected a string, got 2\n");
}

TEST(CheckMethodsTest, TheHostsOwnMessagesSentBack) {
  EXPECT_EQ(Found(kMethods, R"(
    -> {"id":1,"method":"ask","params":{"n":1}}
    <- {"id":1,"method":"ask","params":{"n":1}}
    <- {"id":1,"result":{"list":["a"]}}
  )"),
            "must stdout.echo 2 ask\n");
}

// cat in place of the plugin: what the host answers comes back, too.
TEST(CheckMethodsTest, APluginThatOnlySendsBack) {
  EXPECT_EQ(Found(kMethods, R"(
    spawn
    -> {"id":1,"method":"ask","params":{"n":1}}
    <- {"id":1,"method":"ask","params":{"n":1}}
    -> {"id":1,"error":{"code":-32601,"message":"no"}}
    <- {"id":1,"error":{"code":-32601,"message":"no"}}
    -> {"id":2,"method":"any/ping"}
    -> {"method":"other"}
    <- {"id":2,"method":"any/ping"}
    <- {"method":"other"}
    exit 0
    end
  )"),
            "must stdout.echo 2 ask\n"
            "should method.unknown 6 other /method\n");
}

TEST(CheckMethodsTest, ATerminalThatEchoesInFrontOfAPlugin) {
  EXPECT_EQ(Found(kMethods, R"(
    -> {"id":1,"method":"ask","params":{"n":1}}
    <- {"id":1,"method":"ask","params":{"n":1}}
    <- {"id":1,"result":{}}
    -> {"id":2,"method":"ask","params":{"n":1}}
    <- {"id":2,"method":"ask","params":{"n":1}}
  )"),
            "must stdout.echo 2 ask\n"
            "must answer.missing 4 ask\n");
}

TEST(CheckMethodsTest, TheSameCallOfBothPartiesIsNoEcho) {
  EXPECT_EQ(Found(kMethods, R"(
    -> {"id":1,"method":"any/ping"}
    <- {"id":1,"method":"any/ping"}
    <- {"id":1,"result":1}
    -> {"id":1,"result":1}
    -> {"id":2,"method":"ask","params":{"n":1}}
    <- {"id":3,"method":"ask","params":{"n":1}}
    <- {"id":2,"result":{}}
    -> {"id":3,"result":{}}
  )"),
            "must method.direction 6 ask /method: expected the host, got the plugin\n");
}

TEST(CheckMethodsTest, ParamsThatAreRequiredButHaveNoSchema) {
  constexpr char kRequired[] =
      R"("jsonrpc": "off", "severities": {"answer.missing": "off"}, "methods": {
    "ask": {"from": "host", "kind": "request", "params_required": true}})";
  EXPECT_EQ(Found(kRequired, R"(
    -> {"id":1,"method":"ask"}
    -> {"id":2,"method":"ask","params":[]}
  )"),
            "must params 1 ask /params\n");
}

// Of such a frame only the first bytes are held: what they lack may stand in the rest.
TEST(CheckMethodsTest, AFrameThatIsNotHeldWholeLacksNothing) {
  const auto dialect = DialectOf(kMethods);
  ASSERT_TRUE(dialect) << dialect.error().Text();
  const std::string talk = R"(-> {"id":1,"method":"ask","pad":")" + std::string(300, 'x') +
                           R"(","params":{"n":1}})" + "\n" + R"(<- {"id":1,"pad":")" +
                           std::string(300, 'x') + R"(","result":{"list":[]}})";
  EXPECT_EQ(FoundWith(*dialect, talk), "");
  EXPECT_EQ(FoundWith(*dialect, talk, /*keep_bytes=*/128), "");
}

constexpr char kLifecycle[] = R"("jsonrpc": "off", "unknown_methods": "off",
  "lifecycle": {"first": ["hello"], "last": ["bye"], "before_ready": "must", "grace_ms": 100,
                "exit": 0})";

TEST(CheckLifecycleTest, FindingsSayWhatWasSeen) {
  EXPECT_EQ(TextsOf(kLifecycle, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"hello"}
    -> {"id":3,"method":"b"}
    <- {"id":3,"result":1}
    <- {"id":2,"result":1}
    -> {"method":"bye"}
    -> {"method":"c"}
  )"),
            "the host begins with another message than hello\n"
            "b was sent before the answer to hello\n"
            "c was sent after bye\n");
}

TEST(CheckLifecycleTest, FromHelloToBye) {
  EXPECT_EQ(Found(kLifecycle, R"(
    spawn
    -> {"id":1,"method":"hello"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"work"}
    <- {"id":2,"result":1}
    -> {"id":3,"method":"bye"}
    <- {"id":3,"result":1}
    exit 0
    end
  )"),
            "");
}

TEST(CheckLifecycleTest, WithoutItsFirstMessage) {
  EXPECT_EQ(Found(kLifecycle, R"(
    -> {"method":"work"}
    -> {"method":"bye"}
  )"),
            "must lifecycle.first 1 work /method: expected hello, got work\n");
}

// Each request after the first one has the same cause.
TEST(CheckLifecycleTest, WhatFollowsWithoutItsFirstMessageIsReportedOnce) {
  const std::string order = std::string(kLifecycle) + R"(, "rules": [
    {"id":"ready","type":"order","severity":"must","before":"ready","after":["work","callback"]}])";
  const std::string first = R"(
    -> {"method":"work"}
    -> {"id":2,"method":"work"}
    <- {"id":2,"result":1}
    <- {"id":3,"method":"callback"}
    -> {"id":3,"result":1}
  )";
  const std::string found = "must lifecycle.first 1 work /method: expected hello, got work\n";
  EXPECT_EQ(Found(order, first + "-> {\"method\":\"bye\"}\n"), found);
  EXPECT_EQ(Found(order, first + R"(
    -> {"id":4,"method":"hello"}
    <- {"id":4,"result":1}
    -> {"method":"work"}
    -> {"method":"bye"}
  )"),
            found + "must ready 8 work /method: expected ready first, got work\n");
}

// The plugin's own mistake, whatever the host does later.
TEST(CheckLifecycleTest, APluginThatSpeaksBeforeTheFirstMessage) {
  const std::string order = R"("jsonrpc": "off", "unknown_methods": "off",
    "lifecycle": {"first": ["hello"]},
    "rules": [{"id":"ready","type":"order","severity":"must","before":"ready","after":"tell"}])";
  EXPECT_EQ(Found(order, "<- {\"method\":\"tell\"}\n-> {\"method\":\"hello\"}\n"),
            "must ready 1 tell /method: expected ready first, got tell\n");
}

TEST(CheckLifecycleTest, OfSeveralOrdersTheFirstThatIsBroken) {
  const auto found = [](const std::string& second) {
    return Found(R"("jsonrpc": "off", "unknown_methods": "off", "rules": [
      {"id":"a","type":"order","severity":"should","before":"hello","after":["tell"]},
      {"id":"b","type":"order","severity":")" +
                     second + R"(","before":"ready","after":["tell"]}])",
                 "<- {\"method\":\"tell\"}\n<- {\"method\":\"tell\"}\n"
                 "-> {\"method\":\"hello\"}\n<- {\"method\":\"tell\"}\n");
  };
  const std::string a = "should a 1 tell /method: expected hello first, got tell\n";
  EXPECT_EQ(found("should"), a + "should b 4 tell /method: expected ready first, got tell\n");
  EXPECT_EQ(found("must"), a + "must b 1 tell /method: expected ready first, got tell\n");
  EXPECT_EQ(found("off"), a);
}

TEST(CheckLifecycleTest, BeforeTheFirstWasAnswered) {
  EXPECT_EQ(Found(kLifecycle, R"(
    -> {"id":1,"method":"hello"}
    -> {"id":2,"method":"work"}
    <- {"id":3,"method":"callback"}
    <- {"id":1,"result":1}
    <- {"id":2,"result":1}
    -> {"id":3,"result":1}
    -> {"method":"bye"}
  )"),
            "must lifecycle.ready 2 work /method: got work\n"
            "note lifecycle.early-call 3 callback\n");
}

TEST(CheckLifecycleTest, AfterTheFirstWasRefused) {
  EXPECT_EQ(Found(kLifecycle, R"(
    -> {"id":1,"method":"hello"}
    <- {"id":1,"error":{"code":1,"message":"no"}}
    -> {"id":2,"method":"work"}
    <- {"id":2,"result":1}
    -> {"id":3,"method":"hello"}
    <- {"id":3,"result":1}
    -> {"id":4,"method":"work"}
    <- {"id":4,"result":1}
    -> {"method":"bye"}
  )"),
            "must lifecycle.ready 3 work /method: got work\n");
}

TEST(CheckLifecycleTest, AHostThatGoesOnAfterARefusalIsReportedOnce) {
  EXPECT_EQ(TextsOf(kLifecycle, R"(
    -> {"id":1,"method":"hello"}
    <- {"id":1,"error":{"code":1,"message":"no"}}
    -> {"id":2,"method":"work"}
    <- {"id":2,"result":1}
    -> {"id":3,"method":"work"}
    <- {"id":3,"result":1}
    -> {"method":"bye"}
  )"),
            "work was sent although hello was refused\n");
}

TEST(CheckLifecycleTest, WhatCouldNotBeOpenedMayBeClosed) {
  EXPECT_EQ(Found(kLifecycle, R"(
    -> {"id":1,"method":"hello"}
    <- {"id":1,"error":{"code":1,"message":"no"}}
    -> {"id":2,"method":"bye"}
    <- {"id":2,"result":1}
  )"),
            "");
}

TEST(CheckLifecycleTest, AfterTheLast) {
  EXPECT_EQ(Found(kLifecycle, R"(
    -> {"id":1,"method":"hello"}
    <- {"id":1,"result":1}
    -> {"method":"bye"}
    -> {"method":"work"}
  )"),
            "must lifecycle.last 4 work /method: got work\n");
}

TEST(CheckLifecycleTest, NeverClosed) {
  EXPECT_EQ(Found(kLifecycle, R"(
    -> {"id":1,"method":"hello"}
    <- {"id":1,"result":1}
  )"),
            "note lifecycle.closed -: expected bye\n");
}

TEST(CheckLifecycleTest, TooLateAndWithAnotherStatus) {
  EXPECT_EQ(Found(kLifecycle, R"(
    spawn
    -> {"id":1,"method":"hello"}
    <- {"id":1,"result":1}
    at 5000
    -> {"id":2,"method":"bye"}
    <- {"id":2,"result":1}
    at 5200
    exit 3
    end
  )"),
            "must lifecycle.exit -: expected exit 0, got exit 3\n"
            "should lifecycle.grace -: expected at most 100 ms, got 199 ms\n");
}

// What findings about one handle, of `make`, say.
std::string TextsOfHandles(const std::string& conversation) {
  return TextsOf(R"("jsonrpc": "off", "unknown_methods": "off", "handles": [
    {"name": "file", "made": ["make:/result/file"], "used": ["read:/params/file"]}])",
                 conversation);
}

TEST(CheckHandlesTest, BeforeTheAnswerThatMakesIt) {
  EXPECT_EQ(TextsOfHandles(R"(
    -> {"id":1,"method":"make"}
    <- {"method":"read","params":{"file":7}}
    <- {"id":1,"result":{"file":7}}
    <- {"method":"read","params":{"file":8}}
  )"),
            "unknown file: message 1 (make) asks for one, and is not answered yet\n"
            "unknown file\n");
}

TEST(CheckHandlesTest, AWrongOneIsReportedOnceAMethod) {
  EXPECT_EQ(TextsOfHandles(R"(
    -> {"id":1,"method":"make"}
    <- {"id":1,"result":{"file":1}}
    -> {"method":"read","params":{"file":7}}
    -> {"method":"read","params":{"file":7}}
    -> {"method":"read","params":{"file":8}}
    <- {"method":"x"}
  )"),
            "unknown file\nunknown file\n");
}

TEST(CheckHandlesTest, WhileNoneIsMadeOnlyTheFirstIsReported) {
  EXPECT_EQ(TextsOfHandles(R"(
    -> {"method":"read","params":{"file":7}}
    -> {"method":"read","params":{"file":8}}
    -> {"id":1,"method":"make"}
    <- {"id":1,"result":{"file":1}}
    -> {"method":"read","params":{"file":1}}
    -> {"method":"read","params":{"file":9}}
    <- {"method":"x"}
  )"),
            "unknown file\nunknown file\n");
}

TEST(CheckHandlesTest, OfAnotherType) {
  EXPECT_EQ(TextsOfHandles(R"(
    -> {"id":1,"method":"make"}
    <- {"id":1,"result":{"file":7}}
    -> {"method":"read","params":{"file":"7"}}
  )"),
            "this file has another type than when it was made\n");
}

TEST(CheckHandlesTest, TheRuleOnANameWithBlanksIsOneWord) {
  const std::string members = R"("jsonrpc": "off", "unknown_methods": "off", "handles": [
    {"name": "room, key", "made": ["open:/result/key"], "used": ["use:/params/key"]}])";
  const std::string use =
      "-> {\"method\":\"open\"}\n<- {\"method\":\"x\"}\n"
      "-> {\"method\":\"use\",\"params\":{\"key\":5}}\n";
  EXPECT_EQ(Found(members, use), "must handle.room-key 3 use /params/key: got 5\n");
  for (const char* rule : {"handle.room, key", "handle.room-key"}) {
    EXPECT_EQ(Found(members + R"(, "severities": {")" + rule + "\": \"off\"}", use), "") << rule;
  }
}

constexpr char kHandles[] = R"("jsonrpc": "off", "unknown_methods": "off", "handles": [
  {"name": "file", "made": ["open:/result/file"], "used": ["/params/file"],
   "ended": ["close:/params/file"]},
  {"name": "callback", "made": ["call:/params/back"], "used": ["back:/params/id"],
   "life": "call"}])";

TEST(CheckHandlesTest, MadeUsedAndEnded) {
  EXPECT_EQ(Found(kHandles, R"(
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"file":"f1"}}
    -> {"method":"read","params":{"file":"f1"}}
    -> {"method":"read","params":{"file":null}}
    -> {"method":"close","params":{"file":"f1"}}
    -> {"id":2,"method":"call","params":{"back":"c1"}}
    <- {"method":"back","params":{"id":"c1"}}
    <- {"id":2,"result":1}
  )"),
            "");
}

TEST(CheckHandlesTest, NotMadeOrGone) {
  EXPECT_EQ(Found(kHandles, R"(
    -> {"method":"read","params":{"file":"f1"}}
    -> {"id":1,"method":"open"}
    <- {"id":1,"result":{"file":"f1"}}
    -> {"method":"close","params":{"file":"f1"}}
    -> {"method":"read","params":{"file":"f1"}}
  )"),
            "must handle.file 1 read /params/file: got \"f1\"\n"
            "must handle.file 5 read /params/file: got \"f1\"\n");
}

TEST(CheckHandlesTest, ACallbackAfterItsCall) {
  EXPECT_EQ(Found(kHandles, R"(
    -> {"id":2,"method":"call","params":{"back":"c1"}}
    <- {"id":2,"result":1}
    <- {"method":"back","params":{"id":"c1"}}
  )"),
            "must handle.callback 3 back /params/id: got \"c1\"\n");
}

// What happened before the recording, or in a lost part of it, is unknown and not a violation.
constexpr char kMiddle[] = R"(
    <- {"id":7,"result":1}
    -> {"id":1,"method":"work","params":{"file":"f0"}}
)";

constexpr char kOrder[] = R"("jsonrpc": "off", "unknown_methods": "off", "rules": [
  {"id": "r", "type": "order", "before": "hello", "after": ["work"]}])";
constexpr char kChunkedParts[] = R"("jsonrpc": "off", "unknown_methods": "off", "rules": [
  {"id": "r", "type": "chunks", "methods": ["part"], "index": "/params/index"}])";

TEST(CheckCutOffTest, AGapInTheTrace) {
  const std::string middle = kMiddle;
  EXPECT_EQ(Found(kHandles, "-> {\"method\":\"hello\"}\ngap\n" + middle), "");
  EXPECT_EQ(Found(kLifecycle, "spawn\ngap\n" + middle + "exit 1\nend\n"), "");
  EXPECT_EQ(Found(kOrder, "gap\n" + middle), "");
  EXPECT_EQ(Found(kChunkedParts,
                  "<- {\"method\":\"part\",\"params\":{\"index\":0}}\ngap\n"
                  "<- {\"method\":\"part\",\"params\":{\"index\":2}}\n"),
            "");
}

TEST(CheckCutOffTest, ALaterPartOfARotatedRecording) {
  EXPECT_EQ(Found(kLifecycle, "part 2\n" + std::string(kMiddle) + "exit 1\nend\n"), "");
}

TEST(CheckCutOffTest, NoEnd) {
  EXPECT_EQ(Found(kPlain, "spawn\n-> {\"id\":1,\"method\":\"work\"}\n"), "");
  EXPECT_EQ(Found(kPlain, "spawn\n-> {\"id\":1,\"method\":\"work\"}\nexit 0\nnext\n"), "");
  EXPECT_EQ(Found(kPlain, "spawn\n-> {\"id\":1,\"method\":\"work\"}\nexit 0\nend\n"),
            "must process.open -: expected answers first, got exit 0, open: work (message 1)\n");
}

TEST(CheckCutOffTest, AMessageThatTheRecordingCutOff) {
  const std::string torn = "spawn\ntorn <- {\"id\":\n";
  EXPECT_EQ(Plain(torn), "");
  EXPECT_EQ(Plain(torn + "gap\n"), "");
  EXPECT_EQ(Plain(torn + "eof plugin\nexit 0\nend\n"), "must stdout.junk -: got {\"id\":\n");
  EXPECT_EQ(Plain(torn + "exit 0\nend\n"), "must stdout.junk -: got {\"id\":\n");
}

TEST(CheckSessionsTest, EachStartsWithNothingOpen) {
  EXPECT_EQ(Found(kLifecycle, R"(
    -> {"id":1,"method":"hello"}
    <- {"id":1,"result":1}
    -> {"id":2,"method":"bye"}
    session
    <- {"id":2,"result":1}
    -> {"method":"work"}
    -> {"method":"bye"}
  )"),
            "must answer.missing 3 bye\n"
            "must answer.known session 2 4 /id: got 2\n"
            "must lifecycle.first session 2 5 work /method: expected hello, got work\n");
}

TEST(CheckDapTest, MessagesOfTheDebugAdapterProtocol) {
  const std::string dap = R"("jsonrpc": "off", "methods": {
    "initialize": {"from": "host", "kind": "request",
                   "params": {"required": ["adapterID"]}, "result": {"type": "object"}},
    "initialized": {"from": "plugin", "kind": "notification"}})";
  EXPECT_EQ(Found(dap, R"(
    => {"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"x"}}
    <= {"seq":1,"type":"response","request_seq":1,"success":true,"command":"initialize","body":{}}
    <= {"seq":2,"type":"event","event":"initialized"}
  )"),
            "");
  EXPECT_EQ(Found(dap, R"(
    => {"seq":1,"type":"request","command":"initialize","arguments":{}}
    <= {"seq":1,"type":"response","request_seq":1,"success":true,"command":"initialize","body":7}
    <= {"seq":2,"type":"event","event":"terminated"}
    <= {"seq":3,"type":"response","request_seq":9,"success":true,"command":"next"}
  )"),
            "must params 1 initialize /arguments: expected an object with adapterID, got {}\n"
            "must result 2 initialize /body: expected an object, got 7\n"
            "should method.unknown 3 terminated /event\n"
            "must answer.known 4 next /request_seq: got 9\n");
}

TEST(CheckDialectTest, SeveritiesAndClausesOfTheDialect) {
  const Result<wire::Dialect> dialect =
      DialectOf(std::string(kPlain) +
                R"(,"severities":{"answer.missing":"note"},"clauses":{"answer.missing":"5"})");
  ASSERT_TRUE(dialect);
  std::string clause;
  auto checker = check::Checker::Create(&*dialect, [&](const trace::Violation& finding) {
    clause = finding.clause + " " + std::string(Name(finding.severity));
  });
  ASSERT_TRUE(checker);
  Talk(checker->get()).Play("<- {\"method\":\"b\"}\n-> {\"id\":1,\"method\":\"a\"}\n", [] {});
  (*checker)->Finish();
  EXPECT_EQ(clause, "5 note");
  EXPECT_EQ(Found(std::string(kPlain) + R"(,"severities":{"answer.missing":"off"})",
                  "-> {\"id\":1,\"method\":\"a\"}\n"),
            "");
}

TEST(CheckDialectTest, ANameOfNoGenericRule) {
  for (const char* member : {R"("severities":{"answer.mising":"off"})", R"("clauses":{"x":"1"})",
                             R"("severities":{"framing.*":"off"})"}) {
    EXPECT_NE(Found(member, "").find("no generic rule has this name"), std::string::npos) << member;
  }
  EXPECT_EQ(Found(R"("severities":{"framing.lf-only":"off"})", ""), "");
}

TEST(CheckDialectTest, AnOwnRuleWithAGenericName) {
  EXPECT_NE(
      Found(R"("rules":[{"id":"params","type":"size"}])", "").find("a generic rule has this name"),
      std::string::npos);
}

TEST(CheckDialectTest, ARuleTypeThatThereIsNot) {
  EXPECT_NE(Found(R"("rules":[{"id":"r","type":"sizes"}])", "").find("no rule type \"sizes\""),
            std::string::npos);
}

TEST(CheckBuiltInTest, EachDialectMakesAChecker) {
  ASSERT_FALSE(wire::BuiltInDialects().empty());
  for (const std::string_view name : wire::BuiltInDialects()) {
    for (const bool strict : {false, true}) {
      const Result<wire::Dialect> dialect =
          wire::LoadDialect(wire::BuiltInDialect(name), name, strict, wire::BuiltInDialect);
      ASSERT_TRUE(dialect) << dialect.error().Text();
      const auto checker = check::Checker::Create(&*dialect, [](const trace::Violation&) {});
      EXPECT_TRUE(checker) << name << ": " << (checker ? "" : checker.error().Text());
    }
  }
}

// A new generic rule must be documented.
TEST(CheckDocTest, EachGenericRuleStandsInTheReference) {
  ASSERT_FALSE(check::GenericNames().empty());
  std::ostringstream text;
  text << std::ifstream(SourceFolder() + "/doc/dialects.md").rdbuf();
  for (const check::GenericName& name : check::GenericNames()) {
    EXPECT_NE(text.str().find("| `" + std::string(name.id)), std::string::npos) << name.id;
  }
}

}  // namespace
}  // namespace midwire::trace
