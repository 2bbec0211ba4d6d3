// Generic rules of answers, messages and framing, each broken and kept.
#include <gtest/gtest.h>

#include <string>

#include "check/checker.h"
#include "tests/check/plain.h"
#include "tests/wire/id_spellings.h"

namespace midwire::trace {
namespace {

TEST(CheckAnswersTest, OneAnswerPerRequest) {
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
    <- {"method":"c"}
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

TEST(CheckAnswersTest, ASecondAnswerNamesTheFirst) {
  EXPECT_EQ(TextsOf(kPlain, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    <- {"id":1,"result":1}
  )"),
            "a second answer to one request: message 2 has answered it\n");
}

TEST(CheckAnswersTest, TheOnlyAnswerCannotBeRead) {
  constexpr char kTalk[] = R"(
    -> {"id":1,"method":"a"}
    <- {'id': 1, 'result': None}
  )";
  EXPECT_EQ(Plain(kTalk), "must json 2: got {'id': 1, 'result': None}\nnote answer.unclear 1 a\n");
  EXPECT_EQ(TextsOf(kPlain, kTalk),
            "the body is not JSON: a single quote, as in a printed Python dict: JSON has double "
            "quotes, at byte 1\n"
            "no message answers this request, but message 2 may be meant to\n");
}

TEST(CheckAnswersTest, AnAnswerToARequestThatCannotBeRead) {
  EXPECT_EQ(Plain(R"(
    -> {"seq":1,"type":"Request","command":"a"}
    <- {"seq":1,"type":"response","request_seq":1,"success":true,"command":"a"}
    <- {"seq":2,"type":"response","request_seq":2,"success":true,"command":"a"}
  )"),
            "must message 1 /type: expected \"request\", \"response\" or \"event\", got "
            "\"Request\"\n"
            "must answer.known 3 a /request_seq: got 2\n");
}

TEST(CheckAnswersTest, TheOnlyAnswerHasAnotherId) {
  EXPECT_EQ(Plain(R"(
    -> {"id":"a","method":"a"}
    <- {"id":"b","result":1}
  )"),
            "must answer.known 2 /id: got \"b\"\nnote answer.unclear 1 a\n");
}

TEST(CheckAnswersTest, AMessageThatCannotBeReadAndSeveralRequests) {
  EXPECT_EQ(Plain(R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    <- {"x":1}
    <- {"id":2,"result":1}
  )"),
            "must message 3: got {\"x\":1}\nmust answer.missing 1 a\n");
}

TEST(CheckAnswersTest, ANotificationWithANullIdIsOneMistake) {
  EXPECT_EQ(Found(R"("jsonrpc": "off", "ids": {"types": ["integer"]},
    "methods": {"tell": {"from": "host", "kind": "notification"}})",
                  R"(
    -> {"id":null,"method":"tell"}
    <- {"method":"x"})"),
            "must method.kind 1 tell /id: expected a notification, got a request\n"
            "should method.unknown 2 x /method\n");
}

TEST(CheckAnswersTest, AnErrorWithoutAnIdMayBeMeant) {
  EXPECT_EQ(TextsOf(kPlain, R"(
    -> {"id":1,"method":"a"}
    <- {"id":null,"error":{"code":-32700,"message":"no"}}
  )"),
            "this request was never answered; message 2, without an id, may be meant\n");
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
            "should id.open 2 b /id: got 1\n");
}

TEST(CheckAnswersTest, AnIdThatIsUsedAgain) {
  const std::string once = std::string(kPlain) + R"(,"severities":{"id.once":"must"})";
  constexpr char kTalk[] = R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"method":"b"}
    <- {"id":1,"result":1}
    -> {"id":1,"result":1}
    -> {"id":1,"method":"c"}
    <- {"id":1,"result":1}
  )";
  EXPECT_EQ(Plain(kTalk), "");
  EXPECT_EQ(Found(once, kTalk), "must id.once 5 c /id: got 1\n");
}

// The rules of dialects see it as the answer, too.
TEST(CheckAnswersTest, AnAnswerInAnotherSpellingIsTheAnswer) {
  EXPECT_EQ(Found(std::string(kPlain) +
                      R"(,"rules":[{"id":"r","type":"order","before":"a","after":["b"]}])",
                  R"(
    -> {"id":"1","method":"a"}
    <- {"id":1,"result":1}
    -> {"method":"b"}
  )"),
            "must id.kept 2 a /id: expected \"1\", got 1\n");
}

constexpr char kUnanswered[] = R"("jsonrpc": "off", "unknown_methods": "off",
  "cancellation": {"at": ["stop:/params/id"], "answered": false})";
constexpr char kAnswered[] = R"("jsonrpc": "off", "unknown_methods": "off",
  "cancellation": {"at": ["stop:/params/id"]})";

TEST(CheckCancellationTest, ACancelledRequestIsNotAnswered) {
  constexpr char kTalk[] = R"(
    -> {"id":1,"method":"a"}
    -> {"method":"stop","params":{"id":1}}
    <- {"method":"c"}
  )";
  EXPECT_EQ(Found(kUnanswered, kTalk), "");
  EXPECT_EQ(Found(kAnswered, kTalk), "must answer.missing 1 a\n");
}

TEST(CheckCancellationTest, ByAnIdOfAnotherType) {
  EXPECT_EQ(Found(kUnanswered, R"(
    -> {"id":1,"method":"a"}
    -> {"method":"stop","params":{"id":"1"}}
    <- {"id":1,"result":1}
  )"),
            "note cancel.known 2 stop /params/id: expected 1, got \"1\"\n");
}

TEST(CheckCancellationTest, ALateAnswerAndOneThatCrossed) {
  constexpr char kTalk[] = R"(
    -> {"id":1,"method":"a"}
    -> {"id":2,"method":"b"}
    -> {"method":"stop","params":{"id":1}}
    -> {"method":"stop","params":{"id":2}}
    <- {"id":1,"result":1}
    at 2000
    <- {"id":2,"result":1}
    <- {"id":2,"result":1}
  )";
  EXPECT_EQ(Found(kUnanswered, kTalk),
            "note cancel.crossed 5 a /id: got 1\nshould cancel.answered 6 b /id: got 2\n"
            "must answer.once 7 /id: got 2\n");
  EXPECT_EQ(Found(kAnswered, kTalk), "must answer.once 7 /id: got 2\n");
}

TEST(CheckCancellationTest, OfWhatWasNeverAskedAndOfWhatIsAnswered) {
  EXPECT_EQ(Found(kUnanswered, R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1}
    -> {"method":"stop","params":{"id":1}}
    -> {"method":"stop","params":{"id":7}}
    -> {"method":"stop","params":{}}
  )"),
            "note cancel.known 4 stop /params/id: got 7\n");
}

TEST(CheckCancellationTest, TheIdOfACancelledRequestIsFree) {
  EXPECT_EQ(Found(kUnanswered, R"(
    -> {"id":1,"method":"a"}
    -> {"method":"stop","params":{"id":1}}
    -> {"id":1,"method":"b"}
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

TEST(CheckShapeTest, ACodeThatJsonRpcLeavesToApplications) {
  constexpr char kTalk[] = R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"error":{"code":404,"message":"x"}}
    -> {"id":2,"method":"a"}
    <- {"id":2,"error":{"code":-32050,"message":"x"}}
  )";
  const auto with = [&](const std::string& other) {
    return Found(std::string(kPlain) + R"(,"errors":{"other":")" + other + "\"}", kTalk);
  };
  EXPECT_EQ(with("note"), "note error.code 4 a /error/code: got -32050\n");
  EXPECT_EQ(with("should"),
            "should error.code 2 a /error/code: got 404\nshould error.code 4 a /error/code: got "
            "-32050\n");
}

TEST(CheckShapeTest, ABatchIsCounted) {
  EXPECT_EQ(
      TextsOf(std::string(kPlain) + R"(,"batch":"must")", R"(-> [{"method":"a"},{"method":"b"}])"),
      "a batch of 2 messages, where each message is sent by itself\n");
}

TEST(CheckRuleTextTest, AFindingSaysWhatWasSeen) {
  const std::string rule = std::string(kPlain) + R"(,"rules":[{"id":"r","type":"size","max":1,
    "at":"/params/x","text":"x is short")";
  EXPECT_EQ(TextsOf(rule + "}]", R"(-> {"method":"a","params":{"x":12}})"), "x is short\n");
  EXPECT_EQ(TextsOf(rule + R"(,"found":"x is long"}])", R"(-> {"method":"a","params":{"x":12}})"),
            "x is long\n");
}

TEST(CheckShapeTest, NotJson) {
  EXPECT_EQ(Plain("=> {\"id\":1,\n"), "must json 1: got {\"id\":1,\n");
  EXPECT_EQ(Plain(R"(-> {"method":"a","params":[1,NaN]})"),
            "must json 1 a /params/1: got {\"method\":\"a\",\"params\":[1,NaN]}\n");
}

// Where its params cannot be read, they are not missing.
TEST(CheckShapeTest, NothingIsReportedOfWhatCouldNotBeRead) {
  constexpr char kWanted[] = R"("jsonrpc":"off","methods":{"a":{"from":"host","kind":"notification",
      "params":{"type":"object"},"params_required":true}})";
  EXPECT_EQ(Found(kWanted, R"(-> {"method":"a","params":{"x":+1}})"),
            "must json 1 a /params/x: got {\"method\":\"a\",\"params\":{\"x\":+1}}\n");
  EXPECT_EQ(Found(kWanted, R"(-> {"method":"a"})"), "must params 1 a /params\n");
}

TEST(CheckShapeTest, ParamsAreAnObjectOrAnArray) {
  EXPECT_EQ(Plain(R"(
    -> {"method":"a","params":"x"}
    -> {"method":"a","params":null}
    -> {"method":"a","params":[]}
    -> {"method":"a","params":{}}
    -> {"seq":1,"type":"request","command":"c","arguments":7}
    <- {"seq":1,"type":"response","request_seq":1,"success":true,"command":"c"}
  )"),
            "must params.kind 1 a /params: expected an object or an array, got \"x\"\n"
            "should params.kind 2 a /params: expected an object or an array, got null\n");
}

TEST(CheckShapeTest, HalfASurrogatePair) {
  EXPECT_EQ(Plain(R"(
    -> {"method":"a","params":["\ud83d\ude00"]}
    -> {"params":["\ud83d"],"method":"a"}
  )"),
            "note json.surrogate 2 a /params/0: got {\"params\":[\"\\ud83d\"],\"method\":\"a\"}\n");
}

TEST(CheckShapeTest, AResultBesideAnErrorThatIsNull) {
  EXPECT_EQ(Plain(R"(
    -> {"id":1,"method":"a"}
    <- {"id":1,"result":1,"error":null}
    -> {"id":2,"method":"a"}
    <- {"id":2,"result":null,"error":{"code":1,"message":""}}
  )"),
            "must answer.shape 2 a /error: got null\n"
            "must answer.shape 4 a /error: got {\"code\":1,\"message\":\"\"}\n");
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

TEST(CheckShapeTest, AResultOfNullThatIsLeftOut) {
  EXPECT_EQ(Found(R"("jsonrpc":"off","without_result":"note","methods":{
      "close":{"from":"host","kind":"request","result":{"type":"null"}},
      "call":{"from":"host","kind":"request","result":{"type":"object"}}})",
                  R"(
    -> {"id":1,"method":"close"}
    <- {"id":1}
    -> {"id":2,"method":"call"}
    <- {"id":2}
  )"),
            "note answer.shape 2 close\nmust answer.shape 4 call\n");
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

TEST(CheckFramingTest, TheOtherFramingIsReportedOnceInARow) {
  const std::string headers = std::string(kPlain) + R"(,"framing":{"kind":"content-length"})";
  EXPECT_EQ(Found(headers, R"(
    -> {"method":"a"}
    -> {"method":"b"}
    <- {"method":"c"}
  )"),
            "must framing.kind 1 a: expected content-length, got line\n"
            "must framing.kind 3 c: expected content-length, got line\n");
}

TEST(CheckFramingTest, ANulByteIsOneMistake) {
  const std::string nul("-> {\"method\":\"a\",\"params\":[\"\0\"]}", 32);
  EXPECT_EQ(Plain(nul), "must json 1 a /params/0: got {\"method\":\"a\",\"params\":[\"\\x00\"]}\n");
}

TEST(CheckFramingTest, OdditiesSayWhyTheyMatter) {
  EXPECT_EQ(TextsOf(kPlain, "-> {\"method\":\"a\"}\r\n"),
            "the line ends in CR LF, as a stdout in text mode writes it on Windows\n");
  EXPECT_EQ(TextsOf(kPlain, "<- Server started\n-> hello"),
            "bytes that are not a message: logs belong on stderr\nbytes that are not a message\n");
  EXPECT_EQ(TextsOf(kPlain, "<= {\"method\":\"a\"}\n<- \n"),
            "a line end between two messages, which no Content-Length counts: VS Code takes it for "
            "the start of the next header\n");
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
  EXPECT_EQ(Plain("-> {\"method\":\"a\",\"params\":[\"\xff\"]}"),
            "must utf8 1 a /params/0: got {\"method\":\"a\",\"params\":[\"\\xff\"]}\n");
}

TEST(CheckFramingTest, JunkOfEitherSide) {
  EXPECT_EQ(Plain("<- starting up\n-> hello\n"),
            "must stdout.junk -: got starting up\n\nmust stdin.junk -: got hello\n\n");
}

TEST(CheckFramingTest, JunkWhereStdoutAndStderrAreOnePipe) {
  const std::string spawn = "event {\"event\":\"spawn\",\"argv\":[\"p\"],\"merged_stderr\":true}\n";
  EXPECT_EQ(Plain(spawn + "<- starting up\n"), "note stdout.junk -: got starting up\n\n");
  EXPECT_EQ(Plain(spawn + "session\nspawn\n<- starting up\n"),
            "must stdout.junk session 2 -: got starting up\n\n");
}

// JSON-RPC 2.0, clause 6: it is no valid request, and a server must not return one.
TEST(CheckShapeTest, AnEmptyBatchOfEitherSide) {
  EXPECT_EQ(Plain("-> [{\"method\":\"a\"}]\n<- []\n-> []"),
            "must message 2: got []\nmust message 3: got []\n");
}

// A reader of JSON cannot tell them apart, and no writer of JSON keeps escapes.
TEST(CheckAnswersTest, AnotherEscapeOfAnIdIsTheSameId) {
  EXPECT_EQ(Plain(R"(
    -> {"id":"a\/b","method":"a"}
    <- {"id":"a/b","result":1}
  )"),
            "");
}

TEST(CheckAnswersTest, SpellingsOfOneIdAreKeptInMind) {
  for (const wire::IdSpelling& each : wire::kIdSpellings) {
    const std::string found =
        Plain(std::string("-> {\"id\":") + each.asked +
              ",\"method\":\"a\"}\n<- {\"id\":" + each.answered + ",\"result\":1}");
    const bool texts = each.asked[0] == '"' && each.answered[0] == '"';
    EXPECT_EQ(found.find("id.kept") != found.npos, each.same_id && !texts) << found;
    EXPECT_EQ(found.find("answer.known") == found.npos, each.same_id) << found;
  }
}

}  // namespace
}  // namespace midwire::trace
