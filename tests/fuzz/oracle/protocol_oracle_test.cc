#include "fuzz/oracle/protocol_oracle.h"

#include <gtest/gtest.h>

#include "tests/fuzz/oracle/talk.h"
#include "wire/dialect/built_in.h"

namespace midwire::fuzz {
namespace {

// ---- answers

TEST(ProtocolOracleTest, AnAnswerToEachRequestIsInOrder) {
  Talk talk;
  EXPECT_EQ(talk.Told(R"(
    > {"id":1,"method":"open","params":{}}
    < {"id":1,"result":{}}
    > {"id":"a","method":"ping"}
    < {"id":"a","error":{"code":-32601,"message":"no"}}
    due
  )"),
            "");
  EXPECT_TRUE(talk.settled());
}

TEST(ProtocolOracleTest, ARequestThatLaterOnesOvertakeForEverIsMissing) {
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open"}
    > {"id":2,"method":"ping"}
    < {"id":2,"result":1}
    due
  )"),
            "missing open\n");
}

TEST(ProtocolOracleTest, AnswersInAnotherOrderAreInOrder) {
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open"}
    > {"id":2,"method":"ping"}
    < {"id":2,"result":1}
    < {"id":1,"result":1}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, AMethodThatIsNoWordOfTheProtocolHasNoNameInAKey) {
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"x81\"}\n due\n"), "missing ?\n");
}

TEST(ProtocolOracleTest, WhatWasOwedWhenStdinEndedIsLost) {
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\"}\n eof\n"), "lost-at-eof open\n");
}

TEST(ProtocolOracleTest, IsToldOnceWhatIsMissing) {
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\"}\n due\n due\n eof\n"), "missing open\n");
}

TEST(ProtocolOracleTest, ALateAnswerOfTheRunBeforeIsInOrder) {
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open"}
    run
    > {"id":2,"method":"ping"}
    < {"id":1,"result":1}
    < {"id":2,"result":1}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, ALineThatIsNoMessageMayBeReadAsOneAndAnswered) {
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open"}
    > #{"id":1,"method":"open"}
    < {"id":1,"result":1}
    < {"id":1,"error":{"code":-32600,"message":"no request"}}
  )"),
            "");
}

TEST(ProtocolOracleTest, AnIdThatIsSpeltOddlyIsNoOtherType) {
  EXPECT_EQ(Told(R"(
    > {"id":"\u0031"}
    > {"id":1,"method":"open"}
    < {"id":"1","error":{"code":-32600,"message":"no request"}}
    < {"id":1,"result":1}
  )"),
            "");
}

TEST(ProtocolOracleTest, WhatWasAnsweredLateInTheRecordingIsOwedNothing) {
  Talk talk;
  talk.seeds().late = {"open"};
  EXPECT_EQ(talk.Told("> {\"id\":1,\"method\":\"open\"}\ndue\n"), "");
  EXPECT_EQ(talk.Told("> {\"id\":1,\"method\":\"ping\"}\ndue\n"), "missing ping\n");
}

TEST(ProtocolOracleTest, AnIdThatMayComeBackOtherwiseExcusesASecondAnswer) {
  for (const std::string id : {"1.0", "1.0000000000000000001", "\"\\u0031\""}) {
    EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\"}\n> {\"id\":" + id +
                   ",\"method\":\"open\"}\n< {\"id\":1,\"result\":1}\n< {\"id\":1,\"result\":1}\n"),
              "")
        << id;
  }
}

TEST(ProtocolOracleTest, ARefusalWithoutAnIdIsNotTheAnswerToARequestWithoutOne) {
  EXPECT_EQ(Told(R"(
    > {"nothing":1}
    > {"id":null,"method":"open"}
    < {"id":null,"error":{"code":-32600,"message":"no request"}}
    < {"id":null,"result":1}
  )"),
            "");
}

TEST(ProtocolOracleTest, WhoRefusesALengthMayReadWhatWeTakeForTheBody) {
  Seeds seeds(wire::Direction::kHostToPlugin);
  seeds.framing = wire::Framing::kContentLength;
  Features features({});
  std::string told;
  ProtocolOracle oracle(&seeds, &features, {},
                        [&](Finding finding) { told += finding.key + "\n"; });
  const auto framed = [](std::string_view body) {
    return Framed(body, wire::Framing::kContentLength).bytes;
  };
  const Input input = ParseInput("Content-Length: 1073741824\r\n\r\n{}" +
                                     framed(R"({"jsonrpc":"2.0","id":1,"method":"open"})"),
                                 wire::Framing::kContentLength);
  oracle.OnRun(&input);
  for (size_t i = 0; i < input.parts.size(); ++i) oracle.Say(i);
  std::string reply;
  oracle.OnBytes(framed(R"({"jsonrpc":"2.0","id":1,"result":{}})"), &reply);
  EXPECT_EQ(told, "");
}

TEST(ProtocolOracleTest, WhoHasLostItsWayMayReadAMessageTwice) {
  const auto told_with = [](const std::string& header) {
    Seeds seeds(wire::Direction::kHostToPlugin);
    seeds.framing = wire::Framing::kContentLength;
    Features features({});
    std::string told, reply;
    ProtocolOracle oracle(&seeds, &features, {},
                          [&](Finding finding) { told += finding.key + "\n"; });
    const auto framed = [](std::string_view body) {
      return Framed(body, wire::Framing::kContentLength).bytes;
    };
    const Input input =
        ParseInput(header + framed(R"({"jsonrpc":"2.0","id":1,"method":"open"})"), seeds.framing);
    oracle.OnRun(&input);
    oracle.Say(0);
    for (int i = 0; i < 2; ++i) {
      oracle.OnBytes(framed(R"({"jsonrpc":"2.0","id":1,"result":{}})"), &reply);
    }
    return told;
  };
  EXPECT_EQ(told_with("X: 1\r\n"), "double \n");
  EXPECT_EQ(told_with("X: " + std::string(200, '1') + "\r\n"), "");
}

TEST(ProtocolOracleTest, ASecondAnswerIsADouble) {
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open"}
    < {"id":1,"result":1}
    < {"id":1,"error":{"code":1,"message":"late"}}
  )"),
            "double open\n");
}

TEST(ProtocolOracleTest, TwoRequestsOfOneIdMayHaveTwoAnswersOrARefusal) {
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open"}
    > {"id":1,"method":"ping"}
    < {"id":1,"result":1}
    < {"id":1,"result":1}
    due
  )"),
            "");
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open"}
    > {"id":1,"method":"ping"}
    < {"id":1,"result":1}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, AnIdThatIsUsedAgainAfterItsAnswerIsOwedAnother) {
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open"}
    < {"id":1,"result":1}
    > {"id":1,"method":"ping"}
    due
  )"),
            "missing ping\n");
}

TEST(ProtocolOracleTest, AnAnswerThatNobodyAskedForIsUnknown) {
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open"}
    < {"id":1,"result":1}
    < {"id":77,"result":1}
  )"),
            "unknown after request open\n");
}

TEST(ProtocolOracleTest, AnAnswerToAnAnswerIsNotOurs) {
  EXPECT_EQ(Told(R"(
    > {"id":77,"result":{}}
    < {"id":77,"error":{"code":-32600,"message":"who asked?"}}
    < {"id":null,"error":{"code":-32600,"message":"who asked?"}}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, AnIdThatComesBackAsAnotherTypeIsTold) {
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":\"1\",\"result\":1}\n due\n"),
            "id-type open\n");
  EXPECT_EQ(Told("> {\"id\":\"1\",\"method\":\"open\"}\n < {\"id\":1,\"result\":1}\n due\n"),
            "id-type open\n");
}

TEST(ProtocolOracleTest, WhereItMayBeAnotherAnswerItIsNeitherToldNorMissing) {
  EXPECT_EQ(
      Told("> {no\n > {\"id\":1,\"method\":\"open\"}\n < {\"id\":\"1\",\"result\":1}\n due\n"), "");
  EXPECT_EQ(Told("> {no\n > {\"id\":1,\"method\":\"open\"}\n due\n"), "missing open\n");
}

TEST(ProtocolOracleTest, ASecondAnswerOfAnotherTypeIsNotOneToNothing) {
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open"}
    < {"id":1,"result":1}
    < {"id":"1","result":1}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, IdsOfBothTypesInFlightAreTwoIds) {
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open"}
    > {"id":"1","method":"ping"}
    < {"id":"1","result":1}
    < {"id":1,"result":1}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, ResultAndErrorOrNeitherIsNoAnswersShape) {
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open"}
    < {"id":1,"result":1,"error":{"code":1,"message":"x"}}
    > {"id":2,"method":"ping"}
    < {"id":2}
  )"),
            "shape both open\nshape neither ping\n");
}

TEST(ProtocolOracleTest, AResultThatIsNullIsAResult) {
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":1,\"result\":null}\n due\n"), "");
}

TEST(ProtocolOracleTest, ANotificationHasNoAnswer) {
  EXPECT_EQ(Told(R"(
    > {"method":"note"}
    < {"id":null,"error":{"code":1,"message":"x"}}
  )"),
            "notification notification note\n");
  EXPECT_EQ(Told("> {\"method\":\"note\"}\n due\n"), "");
}

// ---- ids that not everybody can give back

TEST(ProtocolOracleTest, BigIdsAreOwedNothingUnlessAsked) {
  for (const char* id : {"9007199254740993", "1.5", "1e3", "-9007199254740993"}) {
    const std::string said = "> {\"id\":" + std::string(id) + ",\"method\":\"open\"}\n";
    EXPECT_EQ(Told(said + "due"), "") << id;
    EXPECT_EQ(Told(said + "< {\"id\":9007199254740992,\"result\":1}\n due"), "") << id;
    EXPECT_EQ(Told(said + "< {\"id\":" + id + ",\"result\":1}\n due"), "") << id;
    EXPECT_EQ(ToldWith("+big-id", said + "< {\"id\":" + id + ",\"result\":1}\n due"), "") << id;
  }
  EXPECT_NE(ToldWith("+big-id", R"(
    > {"id":9007199254740993,"method":"open"}
    < {"id":9007199254740992,"result":1}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, IdsThatAWriterSpellsInAnotherWayAreOwedNothing) {
  for (const char* id : {R"("\u0041")", "\"\xC3\xA4\"", R"("a\/b")", "null", "true", "[1]"}) {
    EXPECT_EQ(Told("> {\"id\":" + std::string(id) + ",\"method\":\"open\"}\n due"), "") << id;
    EXPECT_EQ(Told("> {\"id\":" + std::string(id) +
                   ",\"method\":\"open\"}\n < {\"id\":\"A\",\"result\":1}\n due"),
              "")
        << id;
  }
}

// ---- what may be refused

TEST(ProtocolOracleTest, BadJsonMayBeAnsweredOrNot) {
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\",}\n due\n"), "");
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open",}
    < {"id":null,"error":{"code":-32700,"message":"what?"}}
    due
  )"),
            "");
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open",}
    < {"id":1,"error":{"code":-32700,"message":"what?"}}
    due
  )"),
            "");
}

// It was read behind a message without its newline first, where not everybody finds it.
TEST(ProtocolOracleTest, WhatSharedALineOnceIsOwedAnAnswerOnALineOfItsOwn) {
  EXPECT_EQ(Told(R"(
    >> {"id":1,"method":"ping"}
    > {"id":2,"method":"open"}
    peer
    > {"id":2,"method":"open"}
    due
  )"),
            "missing open\n");
}

TEST(ProtocolOracleTest, ALineIsBadOnceHoweverManyMessagesAreInIt) {
  const std::string answer = "< {\"id\":null,\"error\":{\"code\":-32700,\"message\":\"what?\"}}\n";
  EXPECT_EQ(ToldWith("+parse-error", "> {}}\n" + answer + "due\n"), "");
  EXPECT_EQ(ToldWith("+parse-error", "> {,}{,} {,}\n" + answer + "due\n"), "");
  EXPECT_EQ(ToldWith("+parse-error", "> {}}\n> {}}\n" + answer + "due\n").substr(0, 11),
            "parse-error");
}

TEST(ProtocolOracleTest, ABadMessageMayBeRefusedByAnIdThatMeansTheSame) {
  EXPECT_EQ(ToldWith("+parse-error", R"(
    > {"id":-0,"method":4}
    < {"id":0,"error":{"code":-32600,"message":"what?"}}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, WhoWantsBadJsonAnsweredIsToldWhereItIsNot) {
  EXPECT_EQ(ToldWith("+parse-error", "> {\"id\":1,\"method\":\"open\",}\n due\n").substr(0, 11),
            "parse-error");
  EXPECT_EQ(ToldWith("+parse-error", R"(
    > what is this
    > {"id":1,"method":"open",}
    < {"id":null,"error":{"code":-32700,"message":"what?"}}
    < {"id":null,"error":{"code":-32700,"message":"what?"}}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, InvalidRequestsAreRefusedByNullOrByTheirId) {
  for (const char* said : {R"({"id":1,"method":7})", R"({"id":1})", R"({"id":{},"method":"open"})",
                           R"([])", R"(7)", R"({"id":1,"method":"open","params":7})"}) {
    for (const char* id : {"null", "1"}) {
      EXPECT_EQ(Told("> " + std::string(said) + "\n < {\"id\":" + id +
                     ",\"error\":{\"code\":-32600,\"message\":\"no\"}}\n due"),
                "")
          << said << id;
    }
    EXPECT_EQ(Told("> " + std::string(said) + "\n due"), "") << said;
  }
}

TEST(ProtocolOracleTest, JsonThatManyAParserRefusesIsOwedNothing) {
  const std::string deep = std::string(500, '[') + std::string(500, ']');
  for (const std::string& params :
       {deep, std::string("{\"n\":1e400}"), std::string("{\"s\":\"\\ud800\"}"),
        "{\"n\":" + std::string(400, '9') + "}", std::string("{\"s\":\"\xff\"}")}) {
    EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\",\"params\":" + params + "}\n due"), "")
        << params.substr(0, 40);
  }
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\",\"params\":[[[[[1e10]]]]]}\n due"),
            "missing open\n");
}

TEST(ProtocolOracleTest, ABatchMayBeAnsweredInAnyWay) {
  const std::string batch = R"(> [{"id":1,"method":"open"},{"id":2,"method":"ping"},7]
)";
  for (const char* heard :
       {R"([{"id":1,"result":1},{"id":2,"result":1}])", R"({"id":2,"result":1})",
        R"({"id":null,"error":{"code":-32600,"message":"no batches"}})", ""}) {
    EXPECT_EQ(Told(batch + (*heard != 0 ? "< " + std::string(heard) + "\n" : "") + "due"), "")
        << heard;
  }
}

TEST(ProtocolOracleTest, WhatComesAfterTheEndMayBeLeftAlone) {
  Talk talk;
  talk.seeds().methods.insert("shutdown");
  EXPECT_EQ(talk.Told(R"(
    > {"id":1,"method":"shutdown"}
    < {"id":1,"result":null}
    > {"id":2,"method":"open"}
    due
  )"),
            "");
  EXPECT_TRUE(talk.closing());
}

TEST(ProtocolOracleTest, AVersionThatTheRecordingDoesNotHaveMayBeRefused) {
  EXPECT_EQ(Told("> {\"jsonrpc\":\"3.0\",\"id\":1,\"method\":\"open\"}\n due"), "");
  EXPECT_EQ(Told("> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\"}\n due"), "missing open\n");
}

// ---- what is heard besides

TEST(ProtocolOracleTest, AnythingElseOnStdoutIsPollution) {
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\"}\n < listening on 4711\n"),
            "pollution listening on #\n");
}

TEST(ProtocolOracleTest, EmptyLinesAndALastLineThatDeathCutOffAreNone) {
  EXPECT_EQ(Told("< \n << \n < \n << {\"id\":\n dies\n"), "");
}

TEST(ProtocolOracleTest, AFrameThatIsNoJsonIsABadMessage) {
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":1,\"result\":NaN}\n").substr(0, 32),
            "bad-message a frame that is no J");
}

TEST(ProtocolOracleTest, JsonThatIsNoMessageIsABadMessage) {
  EXPECT_EQ(Told("< {\"hello\":\"world\"}\n"), "bad-message JSON that is no message\n");
}

// The refusal of the batch's first may be the answer to "null", whose own comes behind it.
TEST(ProtocolOracleTest, ARefusalTakesNoAnswerFromTheIdThatReadsNull) {
  EXPECT_EQ(Told(R"(
    > [[],{"id":4,"method":"open"}]
    > {"id":"null","method":"open"}
    < [{"id":null,"error":{"code":-32600,"message":""}},{"id":4,"result":1}]
    < {"id":"null","result":1}
    due
  )"),
            "");
}

// ---- what peers refuse, and may, without an id

TEST(ProtocolOracleTest, ANameTwiceMayBeRefusedWithoutAnId) {
  const std::string refusal =
      "< {\"id\":null,\"error\":{\"code\":-32600,\"message\":\"\"}}\n due\n";
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\",\"params\":{},\"params\":{}}\n" + refusal), "");
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\",\"params\":{\"a\":1,\"a\":1}}\n" + refusal), "");
  EXPECT_EQ(Told("> {\"method\":\"note\",\"params\":\"bar\"}\n" + refusal), "");
  EXPECT_EQ(Told("> {\"method\":\"note\",\"params\":[]}\n" + refusal),
            "notification notification note\n");
}

TEST(ProtocolOracleTest, SoMayWhatIsLarge) {
  const std::string refusal =
      "< {\"id\":null,\"error\":{\"code\":-32600,\"message\":\"\"}}\n due\n";
  const auto asks = [](size_t size) {
    return "> {\"id\":1,\"method\":\"open\",\"params\":[\"" + std::string(size, 'x') + "\"]}\n";
  };
  EXPECT_EQ(Told(asks(5000) + refusal), "");
  EXPECT_EQ(Told(asks(5000) + "due\n"), "missing open\n") << "not in silence";
  EXPECT_EQ(Told(asks(5000) + "< {\"id\":1,\"result\":1}\n due\n"), "");
  EXPECT_NE(Told(asks(50) + refusal), "");
  const std::string stray = "> {\"id\":null,\"result\":1}\n";
  EXPECT_EQ(Told(stray + asks(5000) + refusal), "") << "it may be of either";
}

TEST(ProtocolOracleTest, ABatchOfThePeersIsAnsweredByOne) {
  EXPECT_EQ(Told(R"(
    < [{"id":7,"method":"ask"},{"method":"note"},{"id":8,"method":"ask"}]
  )"),
            "> [{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":null},"
            "{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":null}]\n");
  EXPECT_EQ(Told(R"(
    > {"id":1,"method":"open"}
    >> {"js
    < [{"id":7,"method":"ask"}]
    due
  )"),
            "")
      << "who waits for what cannot be said";
}

// What is odd, but is plainly not its request, is no excuse of a second answer.
TEST(ProtocolOracleTest, ASecondAnswerIsADoubleBehindWhatHasAnotherId) {
  const std::string twice = R"(
    > {"id":1,"method":"open"}
    < {"id":1,"result":1}
    < {"id":1,"result":1}
  )";
  EXPECT_EQ(Told("> {\"id\":7,\"result\":1}\n" + twice), "double open\n");
  EXPECT_EQ(Told("> {\"id\":7,\"method\":\"open\",\"params\":3}\n" + twice), "double open\n");
  // Some see an id in these, and it may be that one.
  EXPECT_EQ(Told("> {\"Id\":1,\"method\":\"open\"}\n" + twice), "");
  EXPECT_EQ(Told("> {\"\\u0069d\":1,\"method\":\"open\"}\n" + twice), "");
  EXPECT_EQ(Told("> {\"id\":1.0,\"method\":\"open\"}\n" + twice), "");
  EXPECT_EQ(Told("> {\"id\":7,\"id\":7,\"result\":1}\n" + twice), "");
}

TEST(ProtocolOracleTest, AMessageThatIsNotUtf8IsTold) {
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":1,\"result\":\"\xff\"}\n due"),
            "utf8 response\n");
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":1,\"result\":\"\xC3\xA4\"}\n due"),
            "");
}

TEST(ProtocolOracleTest, AnOracleThatIsOffIsQuiet) {
  const std::string said = "> {\"id\":1,\"method\":\"open\"}\n";
  EXPECT_EQ(ToldWith("-pollution", said + "< hello\n"), "");
  EXPECT_EQ(ToldWith("-missing", said + "due\n"), "");
  EXPECT_EQ(ToldWith("-double", said + "< {\"id\":1,\"result\":1}\n < {\"id\":1,\"result\":1}\n"),
            "");
  EXPECT_EQ(ToldWith("-shape", said + "< {\"id\":1}\n"), "");
  EXPECT_EQ(ToldWith("-utf8", said + "< {\"id\":1,\"result\":\"\xff\"}\n"), "");
  EXPECT_EQ(ToldWith("-bad-message", said + "< {\"id\":1,\"result\":NaN}\n"), "");
  EXPECT_EQ(ToldWith("none,+double", said + "< hello\n due\n"), "");
}

TEST(ProtocolOracleTest, AFindingHasItsPartAndItsEvidence) {
  Talk talk;
  talk.Told(R"(
    > {"id":1,"method":"ping"}
    < {"id":1,"result":1}
    > {"id":2,"method":"open"}
    < what a mess
  )");
  ASSERT_EQ(talk.findings().size(), 1u);
  EXPECT_EQ(talk.findings()[0].part, 1u);
  EXPECT_EQ(talk.findings()[0].evidence, "what a mess\n");
  EXPECT_EQ(talk.findings()[0].oracle, Oracle::kPollution);
}

TEST(ProtocolOracleTest, AKeyStaysTheSameWhenNumbersChange) {
  EXPECT_EQ(Told("< took 12 ms at 0x7f00\n"), Told("< took 345 ms at 0x8a11\n"));
}

// ---- requests of the plugin

TEST(ProtocolOracleTest, ARequestOfThePluginsIsAnswered) {
  EXPECT_EQ(Told("< {\"id\":\"p1\",\"method\":\"ask\"}\n"),
            "> {\"jsonrpc\":\"2.0\",\"id\":\"p1\",\"result\":null}\n");
}

TEST(ProtocolOracleTest, AsTheHostAnsweredInTheRecording) {
  Talk talk;
  talk.seeds().answers["ask"] = R"({"id":4,"result":{"yes":true}})";
  EXPECT_EQ(talk.Told("< {\"id\":\"p1\",\"method\":\"ask\"}\n"),
            "> {\"id\":\"p1\",\"result\":{\"yes\":true}}\n");
}

TEST(ProtocolOracleTest, OrAsTheInputHasIt) {
  Talk talk;
  talk.seeds().peer_ids = {{"4", {}}};
  EXPECT_EQ(talk.Told(R"(
    > {"id":1,"method":"open"}
    < {"id":9,"method":"ask"}
    < {"id":1,"result":1}
    > {"id":4,"result":"mutated"}
    due
  )"),
            "> {\"id\":9,\"result\":\"mutated\"}\n");
  EXPECT_EQ(talk.said(), "{\"id\":1,\"method\":\"open\"}\n") << "the answer is said once";
}

TEST(ProtocolOracleTest, InItsFraming) {
  Talk talk({}, wire::Framing::kContentLength);
  EXPECT_EQ(talk.Told("<= {\"id\":1,\"method\":\"ask\"}\n"),
            "> Content-Length: 38\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}\n");
}

// ---- framing

TEST(ProtocolOracleTest, AContentLengthStreamThatIsDamagedOwesNothingAnyMore) {
  Talk talk({}, wire::Framing::kContentLength);
  EXPECT_EQ(talk.Told(R"(
    >> Content-Length: x

    => {"id":1,"method":"open"}
    due
    run
    => {"id":2,"method":"open"}
    due
  )"),
            "");
  EXPECT_FALSE(talk.in_sync());
}

TEST(ProtocolOracleTest, AFreshPeerReadsItFromTheStart) {
  Talk talk({}, wire::Framing::kContentLength);
  EXPECT_EQ(talk.Told(R"(
    => not JSON
    peer
    => {"id":2,"method":"open"}
    due
  )"),
            "missing open\n");
  EXPECT_TRUE(talk.in_sync());
}

TEST(ProtocolOracleTest, ALineThatIsNoMessageEndsWhereItEnds) {
  Talk talk;
  EXPECT_EQ(talk.Told("> what\n > {\"id\":1,\"method\":\"open\"}\n due\n"), "missing open\n");
  EXPECT_TRUE(talk.in_sync());
}

TEST(ProtocolOracleTest, HalfAFrameIsNoBoundary) {
  Talk talk;
  talk.Told(">> {\"id\":1,\n");
  EXPECT_FALSE(talk.at_boundary());
}

TEST(ProtocolOracleTest, AProbeIsOwedAnAnswerLikeAnyOther) {
  Talk talk;
  EXPECT_EQ(talk.Told("sent {\"id\":9,\"method\":\"probe\"}\n"), "");
  EXPECT_EQ(talk.owed(), 1u);
  EXPECT_EQ(talk.Told("sent {\"id\":9,\"method\":\"probe\"}\n < {\"id\":9,\"result\":1}"), "");
  EXPECT_EQ(talk.owed(), 0u);
}

// ---- dialects

wire::Dialect OpenDialect() {
  auto dialect =
      wire::LoadDialect(R"({"dialect":"test","framing":{"kind":"line","max_body":400},"methods":{
    "open":{"from":"host","kind":"request","params":{"type":"object"},
            "result":{"type":"object","required":["handle"]}},
    "said":{"from":"plugin","kind":"notification","params":{"required":["text"]}}},
    "lifecycle":{"last":["bye"]}})",
                        "test.json", /*strict=*/false, wire::BuiltInDialect);
  EXPECT_TRUE(dialect) << dialect.error().Text();
  return std::move(*dialect);
}

std::string ToldOf(const wire::Dialect& dialect, std::string_view text) {
  return Talk({.dialect = &dialect}).Told(text);
}

TEST(ProberDialectTest, AResultIsHeldAgainstItsSchema) {
  const wire::Dialect dialect = OpenDialect();
  const std::string said = "> {\"id\":1,\"method\":\"open\",\"params\":{}}\n";
  EXPECT_EQ(ToldOf(dialect, said + "< {\"id\":1,\"result\":{}}"),
            "dialect result open  required\n");
  EXPECT_EQ(ToldOf(dialect, said + "< {\"id\":1,\"result\":{\"handle\":1}}"), "");
  EXPECT_EQ(ToldOf(dialect, said + "< {\"id\":1,\"error\":{\"code\":1,\"message\":\"no\"}}"), "");
}

TEST(ProberDialectTest, BesideABodyThatMayBeReadAsMessagesNoResultIs) {
  const wire::Dialect dialect = OpenDialect();
  const auto told = [&](std::string_view behind) {
    Seeds seeds(wire::Direction::kHostToPlugin);
    seeds.framing = wire::Framing::kContentLength;
    Features features({});
    std::string keys;
    ProtocolOracle oracle(&seeds, &features, {.dialect = &dialect},
                          [&](Finding finding) { keys += finding.key + "\n"; });
    const auto framed = [](std::string_view body) {
      return Framed(body, wire::Framing::kContentLength).bytes;
    };
    std::string said = framed(R"({"jsonrpc":"2.0","id":1,"method":"open","params":{"path":"a"}})");
    const Input input = ParseInput(said.append(behind), wire::Framing::kContentLength);
    oracle.OnRun(&input);
    for (size_t i = 0; i < input.parts.size(); ++i) oracle.Say(i);
    std::string reply;
    oracle.OnBytes(framed(R"({"jsonrpc":"2.0","id":1,"result":null})"), &reply);
    return keys;
  };
  EXPECT_NE(told(""), "");
  EXPECT_EQ(told("Content-Length: 1073741824\r\n\r\n{\"id\":1"), "");
}

TEST(ProberDialectTest, AnErrorIsAnObjectWithACode) {
  const wire::Dialect dialect = OpenDialect();
  const std::string said = "> {\"id\":1,\"method\":\"open\",\"params\":{}}\n";
  EXPECT_EQ(ToldOf(dialect, said + "< {\"id\":1,\"error\":\"no\"}"), "dialect error open\n");
  EXPECT_EQ(ToldOf(dialect, said + "< {\"id\":1,\"error\":{\"code\":\"1\"}}"),
            "dialect error open\n");
}

TEST(ProberDialectTest, WhatThePluginSaysByItselfIsHeldAgainstIt) {
  const wire::Dialect dialect = OpenDialect();
  EXPECT_EQ(ToldOf(dialect, "< {\"method\":\"said\",\"params\":{}}"),
            "dialect params said  required\n");
  EXPECT_EQ(ToldOf(dialect, "< {\"method\":\"said\",\"params\":{\"text\":\"x\"}}"), "");
  EXPECT_EQ(ToldOf(dialect, "< {\"method\":\"open\",\"params\":{}}"), "dialect direction open\n");
  EXPECT_EQ(ToldOf(dialect, "< {\"method\":\"another\",\"params\":{}}"), "");
}

TEST(ProberDialectTest, ABodyAboveItsLimitMayBeRefused) {
  const wire::Dialect dialect = OpenDialect();
  EXPECT_EQ(ToldOf(dialect, "> {\"id\":1,\"method\":\"open\",\"params\":{\"x\":\"" +
                                std::string(500, 'x') + "\"}}\n due"),
            "");
}

TEST(ProtocolOracleTest, WhatCannotBeReadMayBeTheAnswer) {
  EXPECT_EQ(Told("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":1,\"result\":NaN1}\n due\n"),
            "bad-message a frame that is no JSON\n");
}

}  // namespace
}  // namespace midwire::fuzz
