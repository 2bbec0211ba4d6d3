// The generic rules, each broken and kept. What dialects' own rule types find stands beside them.
#include "check/checker.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <string>

#include "check/rules/names.h"
#include "tests/trace/conversation.h"

namespace midwire::trace {
namespace {

// A dialect with everything in it that these sessions say, and nothing to note.
constexpr char kPlain[] = R"(
  "jsonrpc": "off", "unknown_methods": "off")";

std::string Plain(const std::string& conversation) { return Found(kPlain, conversation); }

TEST(CheckAnswersTest, OneAnswerARequest) {
  EXPECT_EQ(Plain(R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"method":"b"}
    <- {"id":1,"result":1}
    -> {"id":1,"result":1}
  )"),
            "");
}

TEST(CheckAnswersTest, ARequestThatWasNeverAnswered) {
  EXPECT_EQ(Plain(R"(
    <- {"id":10,"method":"later"}
    -> {"id":10,"method":"a"}
    -> {"id":2,"method":"b"}
  )"),
            "must answer.missing 2 a\nmust answer.missing 3 b\nmust answer.missing 1 later\n");
}

TEST(CheckAnswersTest, BothRequestsOfABatch) {
  EXPECT_EQ(Plain(R"(
    -> [{"id":1,"method":"a"},{"id":2,"method":"b"}]
  )"),
            "must answer.missing 1 a\nmust answer.missing 1 b\n");
}

TEST(CheckAnswersTest, ASecondAnswer) {
  EXPECT_EQ(Plain(R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    <- {"id":1,"result":1}
  )"),
            "must answer.once 3 /id: got 1\n");
}

TEST(CheckAnswersTest, AnAnswerToNothing) {
  EXPECT_EQ(Plain(R"(
    -> {"id":1,"method":"a"}
    <- {"id":2,"result":1}
    <- {"id":1,"result":1}
  )"),
            "must answer.known 2 /id: got 2\n");
}

TEST(CheckAnswersTest, OneIdTwiceIsAnsweredTwice) {
  EXPECT_EQ(Plain(R"(
    -> {"id":1,"method":"a"}
    -> {"id":1,"method":"b"}
    <- {"id":1,"result":1}
    <- {"id":1,"result":1}
  )"),
            "");
}

TEST(CheckAnswersTest, TheIdChangedItsType) {
  EXPECT_EQ(Plain(R"(
    -> {"id":1,"method":"a"}
    <- {"id":"1","result":1}
    -> {"id":"2","method":"a"}
    <- {"id":2,"result":1}
    -> {"id":3,"method":"a"}
    <- {"id":3.0,"result":1}
  )"),
            "must id.kept 2 a /id: expected 1, got \"1\"\n"
            "must id.kept 4 a /id: expected \"2\", got 2\n"
            "must id.kept 6 a /id: expected 3, got 3.0\n");
}

TEST(CheckAnswersTest, ANotificationWasAnswered) {
  EXPECT_EQ(Plain(R"(
    -> {"method":"a"}
    <- {"id":null,"error":{"code":-32601,"message":"no"}}
  )"),
            "must answer.to-notification 2 /id: got null\n");
}

TEST(CheckAnswersTest, AParseErrorHasNoId) {
  EXPECT_EQ(Plain(R"(
    -> {"method":"a"}
    <- {"id":null,"error":{"code":-32700,"message":"no"}}
  )"),
            "");
}

TEST(CheckShapeTest, NotJson) {
  EXPECT_EQ(Plain("=> {\"id\":1,\n"), "must json 1: got {\"id\":1,\n");
}

TEST(CheckShapeTest, NoMessage) {
  EXPECT_EQ(Plain("=> {\"a\":1}\n=> 7\n"),
            "must message 1: got {\"a\":1}\nmust message 2: got 7\n");
}

TEST(CheckShapeTest, ResultAndErrorOrNeither) {
  EXPECT_EQ(Plain(R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1,"error":{"code":1,"message":""}}
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":null}
    -> {"id":3,"method":"a"}
    <- {"id":3,"jsonrpc":"2.0"}
  )"),
            "must answer.shape 2 a /error: got {\"code\":1,\"message\":\"\"}\n"
            "must answer.shape 6 a\n");
}

TEST(CheckShapeTest, Errors) {
  EXPECT_EQ(Found(R"("jsonrpc":"off","unknown_methods":"off","errors":{"codes":{"5":"FIVE"},
                     "other":"should"})",
                  R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"error":"no"}
    -> {"id":2,"method":"a"}
    <- {"id":2,"error":{"code":5}}
    -> {"id":3,"method":"a"}
    <- {"id":3,"error":{"message":"no"}}
    -> {"id":4,"method":"a"}
    <- {"id":4,"error":{"code":"5","message":"no"}}
    -> {"id":5,"method":"a"}
    <- {"id":5,"error":{"code":6,"message":"no"}}
    -> {"id":6,"method":"a"}
    <- {"id":6,"error":{"code":-32603,"message":"no"}}
    -> {"id":7,"method":"a"}
    <- {"id":7,"error":{"code":5,"message":"no"}}
  )"),
            "must error.shape 2 a /error: got \"no\"\n"
            "must error.shape 4 a /error/message\n"
            "must error.without-code 6 a /error/code: expected an integer\n"
            "must error.shape 8 a /error/code: expected an integer, got \"5\"\n"
            "should error.code 10 a /error/code: got 6\n");
}

TEST(CheckShapeTest, CodesOfOneMethod) {
  EXPECT_EQ(Found(R"("jsonrpc":"off","errors":{"codes":{"5":"FIVE","6":"SIX"}},
      "methods":{"a":{"from":"host","kind":"request","errors":[5]}})",
                  R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"error":{"code":6,"message":"no"}}
    -> {"id":2,"method":"a"}
    <- {"id":2,"error":{"code":5,"message":"no"}}
  )"),
            "must error.code 2 a /error/code: got 6\n");
}

TEST(CheckShapeTest, TheVersion) {
  EXPECT_EQ(Found(R"("jsonrpc":"should","unknown_methods":"off")", R"(
    -> {"method":"a"}
    -> {"jsonrpc":"1.0","method":"a"}
    -> {"jsonrpc":"2.0","method":"a"}
  )"),
            "should jsonrpc 1 a /jsonrpc: expected \"2.0\"\n"
            "should jsonrpc 2 a /jsonrpc: expected \"2.0\"\n");
}

TEST(CheckShapeTest, AMemberTwice) {
  EXPECT_EQ(Plain(R"(-> {"method":"a","method":"a"})"), "should member.once 1 a\n");
}

TEST(CheckShapeTest, TypesOfIds) {
  const std::string types = R"(,"ids":{"types":["string","integer"]})";
  EXPECT_EQ(Found(kPlain + types, R"(
    -> {"id":1.5,"method":"a"}
    <- {"id":1.5,"result":1}
    -> {"id":"x","method":"a"}
    <- {"id":"x","result":1}
  )"),
            "must id.type 1 a /id: expected a string or an integer, got 1.5\n");
}

TEST(CheckShapeTest, Batches) {
  const char* conversation = R"(
    -> [7,{"id":1,"method":"a"},{"method":"b"}]
    <- [{"id":1,"result":1}]
  )";
  EXPECT_EQ(Plain(conversation), "must message 1 /0: got 7\n");
  EXPECT_EQ(Found(R"("jsonrpc":"off","unknown_methods":"off","batch":"must")", conversation),
            "must batch 1\nmust message 1 /0: got 7\nmust batch 2\n");
}

TEST(CheckFramingTest, TheOtherFraming) {
  const std::string lines = std::string(kPlain) + R"(,"framing":{"kind":"line","clause":"2"})";
  EXPECT_EQ(Found(lines, R"(-> {"method":"a"})"), "");
  EXPECT_EQ(Found(lines, R"(=> {"method":"a"})"),
            "must framing.kind 1 a: expected line, got content-length\n");
}

TEST(CheckFramingTest, Limits) {
  const std::string limits = std::string(kPlain) + R"(,"framing":{"max_header":22,"max_body":16})";
  EXPECT_EQ(Found(limits, R"(=> {"method":"abc"})"), "");
  EXPECT_EQ(Found(limits, R"(=> {"method":"abcd"})"),
            "must limit.body 1 abcd: expected at most 16 bytes, got 17 bytes\n");
  const std::string header = std::string(kPlain) + R"(,"framing":{"max_header":21})";
  EXPECT_EQ(Found(header, R"(=> {"method":"abc"})"),
            "must limit.header 1 abc: expected at most 21 bytes, got 22 bytes\n");
}

TEST(CheckFramingTest, Oddities) {
  EXPECT_EQ(Plain("-> {\"method\":\"a\"}\r\n"), "note framing.crlf 1 a\n");
  EXPECT_EQ(Plain("-> {\"method\":\"a\"}{\"method\":\"b\"}\n"),
            "should framing.shared-line 1 a\nshould framing.shared-line 2 b\n");
  EXPECT_EQ(Found(std::string(kPlain) + R"(,"severities":{"framing.crlf":"must"})",
                  "-> {\"method\":\"a\"}\r\n"),
            "must framing.crlf 1 a\n");
}

TEST(CheckFramingTest, NotUtf8) {
  EXPECT_EQ(Plain("-> {\"method\":\"a\",\"params\":[\"\xff\"]}"), "must utf8 1 a\n");
}

TEST(CheckFramingTest, JunkOfEitherSide) {
  EXPECT_EQ(Plain("<- starting up\n-> hello\n"),
            "must stdout.junk -: got starting up\n\nmust stdin.junk -: got hello\n\n");
}

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

constexpr char kLifecycle[] = R"("jsonrpc": "off", "unknown_methods": "off",
  "lifecycle": {"first": ["hello"], "last": ["bye"], "before_ready": "must", "grace_ms": 100,
                "exit": 0})";

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

TEST(CheckHandlesTest, NobodyMadeItOrItIsGone) {
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

TEST(CheckCutOffTest, AGapInTheTrace) {
  const std::string middle = kMiddle;
  EXPECT_EQ(Found(kHandles, "-> {\"method\":\"hello\"}\ngap\n" + middle), "");
  EXPECT_EQ(Found(kLifecycle, "spawn\ngap\n" + middle + "exit 1\nend\n"), "");
}

TEST(CheckCutOffTest, ALaterPartOfARotatedRecording) {
  EXPECT_EQ(Found(kLifecycle, "part 2\n" + std::string(kMiddle) + "exit 1\nend\n"), "");
}

TEST(CheckCutOffTest, NoEnd) {
  EXPECT_EQ(Found(kPlain, "spawn\n-> {\"id\":1,\"method\":\"work\"}\n"), "");
  EXPECT_EQ(Found(kPlain, "spawn\n-> {\"id\":1,\"method\":\"work\"}\nexit 0\nnext\n"), "");
  EXPECT_EQ(Found(kPlain, "spawn\n-> {\"id\":1,\"method\":\"work\"}\nexit 0\nend\n"),
            "must answer.missing 1 work\n");
}

TEST(CheckCutOffTest, AMessageThatTheRecordingCutOff) {
  const std::string torn = "spawn\ntorn <- {\"id\":\n";
  EXPECT_EQ(Plain(torn), "");
  EXPECT_EQ(Plain(torn + "gap\n"), "");
  EXPECT_EQ(Plain(torn + "eof plugin\nexit 0\nend\n"), "must stdout.junk -: got {\"id\":\n");
  EXPECT_EQ(Plain(torn + "exit 0\nend\n"), "must stdout.junk -: got {\"id\":\n");
}

TEST(CheckSessionsTest, EachStartsAnew) {
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
  Talk(checker->get()).Play("-> {\"id\":1,\"method\":\"a\"}\n", [] {});
  (*checker)->Finish();
  EXPECT_EQ(clause, "5 note");
  EXPECT_EQ(Found(std::string(kPlain) + R"(,"severities":{"answer.missing":"off"})",
                  "-> {\"id\":1,\"method\":\"a\"}\n"),
            "");
}

TEST(CheckDialectTest, ANameThatNoGenericRuleHas) {
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

// A value of any size is reported in short form.
// Each answer once looked at all that was lent.
TEST(CheckHostileTest, ManyLentHandlesAndManyAnswers) {
  const std::string members = std::string(kPlain) + R"(, "handles": [{"name": "callback",
    "life": "call", "made": ["call:/params/c"], "used": ["use:/params/c"]}])";
  std::string talk;
  for (int i = 0; i < 40'000; ++i) {
    talk += "-> {\"id\":" + std::to_string(i) + R"(,"method":"call","params":{"c":")" +
            std::to_string(i) + "\"}}\n";
  }
  for (int i = 0; i < 40'000; ++i) {
    const std::string number = std::to_string(i);
    if (i % 1000 == 0) talk += R"(<- {"method":"use","params":{"c":")" + number + "\"}}\n";
    talk += "<- {\"id\":" + number + R"(,"result":1}
)";
    if (i == 7000)
      talk += R"(<- {"method":"use","params":{"c":"7000"}}
)";
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(Found(members, talk), "must handle.callback 47010 use /params/c: got \"7000\"\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

// It says the same handle again and again: the bytes of one are those of one.
TEST(CheckHostileTest, OneHandleMadeOverAndOver) {
  const std::string members = std::string(kPlain) + R"(, "handles": [{"name": "thread",
    "made": ["m:/params"], "used": ["use:/params"]}])";
  const std::string said = R"(<- {"method":"m","params":")" + std::string(1'000'000, 'h') + "\"}\n";
  std::string talk;
  for (int i = 0; i < 70; ++i) talk += said;
  EXPECT_EQ(Found(members, talk + R"(-> {"method":"use","params":"x"})"),
            "must handle.thread 71 use /params: got \"x\"\n");
}

TEST(CheckHostileTest, LongValuesAreCut) {
  const std::string found = Plain("-> {\"id\":1,\"method\":\"a\"}\n<- {\"id\":\"" +
                                  std::string(3000, 'x') + "\",\"result\":1}\n");
  EXPECT_LT(found.size(), 400u);
  EXPECT_NE(found.find("xxx..."), std::string::npos);
}

// Of such a frame only the first bytes are held: what they lack may stand in the rest.
TEST(CheckHostileTest, AFrameThatIsNotHeldWholeLacksNothing) {
  const auto dialect = DialectOf(kMethods);
  ASSERT_TRUE(dialect) << dialect.error().Text();
  const std::string talk = R"(-> {"id":1,"method":"ask","pad":")" + std::string(300, 'x') +
                           R"(","params":{"n":1}})" + "\n" + R"(<- {"id":1,"pad":")" +
                           std::string(300, 'x') + R"(","result":{"list":[]}})";
  EXPECT_EQ(FoundWith(*dialect, talk), "");
  EXPECT_EQ(FoundWith(*dialect, talk, /*keep_bytes=*/128), "");
}

TEST(CheckHostileTest, ManyRequestsWithoutAnswersBlameNobodyForTheRest) {
  std::string conversation;
  for (size_t i = 0; i < wire::kMaxOpenRequests + 5; ++i) {
    conversation += "-> {\"id\":" + std::to_string(i) + ",\"method\":\"a\"}\n";
  }
  conversation +=
      "<- {\"id\":" + std::to_string(wire::kMaxOpenRequests + 2) + ",\"result\":1}\nspawn\n";
  EXPECT_EQ(Plain(conversation), "");
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
  text << std::ifstream(MIDWIRE_SOURCE "/doc/dialects.md").rdbuf();
  for (const check::GenericName& name : check::GenericNames()) {
    EXPECT_NE(text.str().find("| `" + std::string(name.id)), std::string::npos) << name.id;
  }
}

}  // namespace
}  // namespace midwire::trace
