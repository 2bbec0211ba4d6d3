#include "fuzz/oracle/protocol_oracle.h"

#include <gtest/gtest.h>

#include "tests/fuzz/oracle/talk.h"
#include "wire/dialect/built_in.h"

namespace midwire::fuzz {
namespace {

// ---- answers

TEST(ProtocolOracleTest, AnAnswerToEachRequestIsNoFinding) {
  Talk talk;
  EXPECT_EQ(talk.Run(R"(
    > {"id":1,"method":"open","params":{}}
    < {"id":1,"result":{}}
    > {"id":"a","method":"ping"}
    < {"id":"a","error":{"code":-32601,"message":"no"}}
    due
  )"),
            "");
  EXPECT_TRUE(talk.settled());
}

TEST(ProtocolOracleTest, ARequestWithoutAnAnswerIsMissing) {
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    > {"id":2,"method":"ping"}
    < {"id":2,"result":1}
    due
  )"),
            "missing open\n");
}

TEST(ProtocolOracleTest, AnswersMayComeInAnotherOrder) {
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    > {"id":2,"method":"ping"}
    < {"id":2,"result":1}
    < {"id":1,"result":1}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, AnUnknownMethodIsNotPartOfAKey) {
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"x81\"}\n due\n"), "missing ?\n");
}

TEST(ProtocolOracleTest, AMissingAnswerAfterTheEndOfStdinIsLostAtEof) {
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\"}\n eof\n"), "lost-at-eof open\n");
}

TEST(ProtocolOracleTest, AMissingAnswerIsReportedOnce) {
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\"}\n due\n due\n eof\n"), "missing open\n");
}

TEST(ProtocolOracleTest, ALateAnswerOfTheLastRunIsAccepted) {
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    run
    > {"id":2,"method":"ping"}
    < {"id":1,"result":1}
    < {"id":2,"result":1}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, ABadLineMayBeAnswered) {
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    > #{"id":1,"method":"open"}
    < {"id":1,"result":1}
    < {"id":1,"error":{"code":-32600,"message":"no request"}}
  )"),
            "");
}

TEST(ProtocolOracleTest, AnEscapedIdHasNoOtherType) {
  EXPECT_EQ(Findings(R"(
    > {"id":"\u0031"}
    > {"id":1,"method":"open"}
    < {"id":"1","error":{"code":-32600,"message":"no request"}}
    < {"id":1,"result":1}
  )"),
            "");
}

TEST(ProtocolOracleTest, ALateMethodExpectsNoAnswer) {
  Talk talk;
  talk.seeds().late = {"open"};
  EXPECT_EQ(talk.Run("> {\"id\":1,\"method\":\"open\"}\ndue\n"), "");
  EXPECT_EQ(talk.Run("> {\"id\":1,\"method\":\"ping\"}\ndue\n"), "missing ping\n");
}

TEST(ProtocolOracleTest, AnAmbiguousIdAllowsASecondAnswer) {
  for (const std::string id : {"1.0", "1.0000000000000000001", "\"\\u0031\""}) {
    EXPECT_EQ(
        Findings("> {\"id\":1,\"method\":\"open\"}\n> {\"id\":" + id +
                 ",\"method\":\"open\"}\n< {\"id\":1,\"result\":1}\n< {\"id\":1,\"result\":1}\n"),
        "")
        << id;
  }
}

TEST(ProtocolOracleTest, ARefusalWithoutAnIdIsNotTheAnswerToARequestWithoutOne) {
  EXPECT_EQ(Findings(R"(
    > {"nothing":1}
    > {"id":null,"method":"open"}
    < {"id":null,"error":{"code":-32600,"message":"no request"}}
    < {"id":null,"result":1}
  )"),
            "");
}

TEST(ProtocolOracleTest, APeerThatRefusesALengthMayReadTheBodyAsMessages) {
  Seeds seeds(wire::Direction::kHostToPlugin);
  seeds.framing = wire::Framing::kContentLength;
  Features features({});
  std::string keys;
  ProtocolOracle oracle(&seeds, &features, {},
                        [&](Finding finding) { keys += finding.key + "\n"; });
  const auto framed = [](std::string_view body) {
    return Framed(body, wire::Framing::kContentLength).bytes;
  };
  const Input input = ParseInput("Content-Length: 1073741824\r\n\r\n{}" +
                                     framed(R"({"jsonrpc":"2.0","id":1,"method":"open"})"),
                                 wire::Framing::kContentLength);
  oracle.OnRun(&input);
  for (size_t i = 0; i < input.parts.size(); ++i) oracle.PartToSend(i);
  std::string reply;
  oracle.OnBytes(framed(R"({"jsonrpc":"2.0","id":1,"result":{}})"), &reply);
  EXPECT_EQ(keys, "");
}

TEST(ProtocolOracleTest, APeerOutOfSyncMayReadAMessageTwice) {
  const auto findings_with = [](const std::string& header) {
    Seeds seeds(wire::Direction::kHostToPlugin);
    seeds.framing = wire::Framing::kContentLength;
    Features features({});
    std::string keys, reply;
    ProtocolOracle oracle(&seeds, &features, {},
                          [&](Finding finding) { keys += finding.key + "\n"; });
    const auto framed = [](std::string_view body) {
      return Framed(body, wire::Framing::kContentLength).bytes;
    };
    const Input input =
        ParseInput(header + framed(R"({"jsonrpc":"2.0","id":1,"method":"open"})"), seeds.framing);
    oracle.OnRun(&input);
    oracle.PartToSend(0);
    for (int i = 0; i < 2; ++i) {
      oracle.OnBytes(framed(R"({"jsonrpc":"2.0","id":1,"result":{}})"), &reply);
    }
    return keys;
  };
  EXPECT_EQ(findings_with("X: 1\r\n"), "double \n");
  EXPECT_EQ(findings_with("X: " + std::string(200, '1') + "\r\n"), "");
}

TEST(ProtocolOracleTest, ASecondAnswerIsADouble) {
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    < {"id":1,"result":1}
    < {"id":1,"error":{"code":1,"message":"late"}}
  )"),
            "double open\n");
}

TEST(ProtocolOracleTest, TwoRequestsOfOneIdMayHaveTwoAnswersOrARefusal) {
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    > {"id":1,"method":"ping"}
    < {"id":1,"result":1}
    < {"id":1,"result":1}
    due
  )"),
            "");
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    > {"id":1,"method":"ping"}
    < {"id":1,"result":1}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, AnIdThatIsUsedAgainExpectsAnotherAnswer) {
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    < {"id":1,"result":1}
    > {"id":1,"method":"ping"}
    due
  )"),
            "missing ping\n");
}

TEST(ProtocolOracleTest, AnAnswerToNoRequestIsUnknown) {
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    < {"id":1,"result":1}
    < {"id":77,"result":1}
  )"),
            "unknown after request open\n");
}

TEST(ProtocolOracleTest, AnAnswerMayBeRefused) {
  EXPECT_EQ(Findings(R"(
    > {"id":77,"result":{}}
    < {"id":77,"error":{"code":-32600,"message":"who asked?"}}
    < {"id":null,"error":{"code":-32600,"message":"who asked?"}}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, AnIdThatChangesItsTypeIsReported) {
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":\"1\",\"result\":1}\n due\n"),
            "id-type open\n");
  EXPECT_EQ(Findings("> {\"id\":\"1\",\"method\":\"open\"}\n < {\"id\":1,\"result\":1}\n due\n"),
            "id-type open\n");
}

TEST(ProtocolOracleTest, AnAmbiguousAnswerIsNeitherReportedNorMissing) {
  EXPECT_EQ(
      Findings("> {no\n > {\"id\":1,\"method\":\"open\"}\n < {\"id\":\"1\",\"result\":1}\n due\n"),
      "");
  EXPECT_EQ(Findings("> {no\n > {\"id\":1,\"method\":\"open\"}\n due\n"), "missing open\n");
}

TEST(ProtocolOracleTest, ASecondAnswerWithAnotherIdTypeIsNotUnknown) {
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    < {"id":1,"result":1}
    < {"id":"1","result":1}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, IdsOfBothTypesInFlightAreTwoIds) {
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    > {"id":"1","method":"ping"}
    < {"id":"1","result":1}
    < {"id":1,"result":1}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, AnAnswerHasEitherResultOrError) {
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    < {"id":1,"result":1,"error":{"code":1,"message":"x"}}
    > {"id":2,"method":"ping"}
    < {"id":2}
  )"),
            "shape both open\nshape neither ping\n");
}

TEST(ProtocolOracleTest, AResultThatIsNullIsAResult) {
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":1,\"result\":null}\n due\n"),
            "");
}

TEST(ProtocolOracleTest, ANotificationHasNoAnswer) {
  EXPECT_EQ(Findings(R"(
    > {"method":"note"}
    < {"id":null,"error":{"code":1,"message":"x"}}
  )"),
            "notification notification note\n");
  EXPECT_EQ(Findings("> {\"method\":\"note\"}\n due\n"), "");
}

// ---- ids that some peers cannot echo

TEST(ProtocolOracleTest, BigIdsExpectNoAnswerByDefault) {
  for (const char* id : {"9007199254740993", "1.5", "1e3", "-9007199254740993"}) {
    const std::string sent = "> {\"id\":" + std::string(id) + ",\"method\":\"open\"}\n";
    EXPECT_EQ(Findings(sent + "due"), "") << id;
    EXPECT_EQ(Findings(sent + "< {\"id\":9007199254740992,\"result\":1}\n due"), "") << id;
    EXPECT_EQ(Findings(sent + "< {\"id\":" + id + ",\"result\":1}\n due"), "") << id;
    EXPECT_EQ(FindingsWith("+big-id", sent + "< {\"id\":" + id + ",\"result\":1}\n due"), "") << id;
  }
  EXPECT_NE(FindingsWith("+big-id", R"(
    > {"id":9007199254740993,"method":"open"}
    < {"id":9007199254740992,"result":1}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, IdsThatSomeWritersEscapeExpectNoAnswer) {
  for (const char* id : {R"("\u0041")", "\"\xC3\xA4\"", R"("a\/b")", "null", "true", "[1]"}) {
    EXPECT_EQ(Findings("> {\"id\":" + std::string(id) + ",\"method\":\"open\"}\n due"), "") << id;
    EXPECT_EQ(Findings("> {\"id\":" + std::string(id) +
                       ",\"method\":\"open\"}\n < {\"id\":\"A\",\"result\":1}\n due"),
              "")
        << id;
  }
}

// ---- what may be refused

TEST(ProtocolOracleTest, BadJsonMayBeAnsweredOrNot) {
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\",}\n due\n"), "");
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open",}
    < {"id":null,"error":{"code":-32700,"message":"what?"}}
    due
  )"),
            "");
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open",}
    < {"id":1,"error":{"code":-32700,"message":"what?"}}
    due
  )"),
            "");
}

// It was first sent after a message without a newline, where some peers do not find it.
TEST(ProtocolOracleTest, AMessageThatSharedALineExpectsAnAnswerOnItsOwnLine) {
  EXPECT_EQ(Findings(R"(
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
  EXPECT_EQ(FindingsWith("+parse-error", "> {}}\n" + answer + "due\n"), "");
  EXPECT_EQ(FindingsWith("+parse-error", "> {,}{,} {,}\n" + answer + "due\n"), "");
  EXPECT_EQ(FindingsWith("+parse-error", "> {}}\n> {}}\n" + answer + "due\n").substr(0, 11),
            "parse-error");
}

TEST(ProtocolOracleTest, ABadMessageMayBeRefusedByAnIdThatMeansTheSame) {
  EXPECT_EQ(FindingsWith("+parse-error", R"(
    > {"id":-0,"method":4}
    < {"id":0,"error":{"code":-32600,"message":"what?"}}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, BadJsonWithoutAnErrorIsReportedIfSelected) {
  EXPECT_EQ(FindingsWith("+parse-error", "> {\"id\":1,\"method\":\"open\",}\n due\n").substr(0, 11),
            "parse-error");
  EXPECT_EQ(FindingsWith("+parse-error", R"(
    > what is this
    > {"id":1,"method":"open",}
    < {"id":null,"error":{"code":-32700,"message":"what?"}}
    < {"id":null,"error":{"code":-32700,"message":"what?"}}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, InvalidRequestsAreRefusedByNullOrByTheirId) {
  for (const char* sent : {R"({"id":1,"method":7})", R"({"id":1})", R"({"id":{},"method":"open"})",
                           R"([])", R"(7)", R"({"id":1,"method":"open","params":7})"}) {
    for (const char* id : {"null", "1"}) {
      EXPECT_EQ(Findings("> " + std::string(sent) + "\n < {\"id\":" + id +
                         ",\"error\":{\"code\":-32600,\"message\":\"no\"}}\n due"),
                "")
          << sent << id;
    }
    EXPECT_EQ(Findings("> " + std::string(sent) + "\n due"), "") << sent;
  }
}

TEST(ProtocolOracleTest, JsonThatManyParsersRefuseExpectsNoAnswer) {
  const std::string deep = std::string(500, '[') + std::string(500, ']');
  for (const std::string& params :
       {deep, std::string("{\"n\":1e400}"), std::string("{\"s\":\"\\ud800\"}"),
        "{\"n\":" + std::string(400, '9') + "}", std::string("{\"s\":\"\xff\"}")}) {
    EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\",\"params\":" + params + "}\n due"), "")
        << params.substr(0, 40);
  }
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\",\"params\":[[[[[1e10]]]]]}\n due"),
            "missing open\n");
}

TEST(ProtocolOracleTest, ABatchMayBeAnsweredInAnyWay) {
  const std::string batch = R"(> [{"id":1,"method":"open"},{"id":2,"method":"ping"},7]
)";
  for (const char* received :
       {R"([{"id":1,"result":1},{"id":2,"result":1}])", R"({"id":2,"result":1})",
        R"({"id":null,"error":{"code":-32600,"message":"no batches"}})", ""}) {
    EXPECT_EQ(Findings(batch + (*received != 0 ? "< " + std::string(received) + "\n" : "") + "due"),
              "")
        << received;
  }
}

TEST(ProtocolOracleTest, ARequestAfterShutdownMayBeIgnored) {
  Talk talk;
  talk.seeds().methods.insert("shutdown");
  EXPECT_EQ(talk.Run(R"(
    > {"id":1,"method":"shutdown"}
    < {"id":1,"result":null}
    > {"id":2,"method":"open"}
    due
  )"),
            "");
  EXPECT_TRUE(talk.closing());
}

TEST(ProtocolOracleTest, AVersionThatTheRecordingDoesNotHaveMayBeRefused) {
  EXPECT_EQ(Findings("> {\"jsonrpc\":\"3.0\",\"id\":1,\"method\":\"open\"}\n due"), "");
  EXPECT_EQ(Findings("> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\"}\n due"),
            "missing open\n");
}

// ---- other bytes received

TEST(ProtocolOracleTest, OtherTextOnStdoutIsPollution) {
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\"}\n < listening on 4711\n"),
            "pollution listening on #\n");
}

TEST(ProtocolOracleTest, EmptyLinesAndACutOffLastLineAreNoPollution) {
  EXPECT_EQ(Findings("< \n << \n < \n << {\"id\":\n dies\n"), "");
}

TEST(ProtocolOracleTest, AFrameThatIsNoJsonIsABadMessage) {
  EXPECT_EQ(
      Findings("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":1,\"result\":NaN}\n").substr(0, 32),
      "bad-message a frame that is no J");
}

TEST(ProtocolOracleTest, JsonThatIsNoMessageIsABadMessage) {
  EXPECT_EQ(Findings("< {\"hello\":\"world\"}\n"), "bad-message JSON that is no message\n");
}

// The refusal of the batch's first element could be the answer to "null", which comes after it.
TEST(ProtocolOracleTest, ARefusalIsNotTheAnswerToTheIdNullAsAString) {
  EXPECT_EQ(Findings(R"(
    > [[],{"id":4,"method":"open"}]
    > {"id":"null","method":"open"}
    < [{"id":null,"error":{"code":-32600,"message":""}},{"id":4,"result":1}]
    < {"id":"null","result":1}
    due
  )"),
            "");
}

// ---- what peers refuse, and may, without an id

TEST(ProtocolOracleTest, ADuplicateNameMayBeRefusedWithoutAnId) {
  const std::string refusal =
      "< {\"id\":null,\"error\":{\"code\":-32600,\"message\":\"\"}}\n due\n";
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\",\"params\":{},\"params\":{}}\n" + refusal),
            "");
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\",\"params\":{\"a\":1,\"a\":1}}\n" + refusal),
            "");
  EXPECT_EQ(Findings("> {\"method\":\"note\",\"params\":\"bar\"}\n" + refusal), "");
  EXPECT_EQ(Findings("> {\"method\":\"note\",\"params\":[]}\n" + refusal),
            "notification notification note\n");
}

TEST(ProtocolOracleTest, ALargeBodyMayBeRefusedWithoutAnId) {
  const std::string refusal =
      "< {\"id\":null,\"error\":{\"code\":-32600,\"message\":\"\"}}\n due\n";
  const auto asks = [](size_t size) {
    return "> {\"id\":1,\"method\":\"open\",\"params\":[\"" + std::string(size, 'x') + "\"]}\n";
  };
  EXPECT_EQ(Findings(asks(5000) + refusal), "");
  EXPECT_EQ(Findings(asks(5000) + "due\n"), "missing open\n") << "not in silence";
  EXPECT_EQ(Findings(asks(5000) + "< {\"id\":1,\"result\":1}\n due\n"), "");
  EXPECT_NE(Findings(asks(50) + refusal), "");
  const std::string stray = "> {\"id\":null,\"result\":1}\n";
  EXPECT_EQ(Findings(stray + asks(5000) + refusal), "") << "it may be of either";
}

TEST(ProtocolOracleTest, ABatchOfThePeerIsAnsweredByABatch) {
  EXPECT_EQ(Findings(R"(
    < [{"id":7,"method":"ask"},{"method":"note"},{"id":8,"method":"ask"}]
  )"),
            "> [{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":null},"
            "{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":null}]\n");
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    >> {"js
    < [{"id":7,"method":"ask"}]
    due
  )"),
            "")
      << "the peer waits for an answer that cannot be sent";
}

// An unusual message that cannot have this id does not allow a second answer.
TEST(ProtocolOracleTest, ASecondAnswerIsADoubleAfterAMessageWithAnotherId) {
  const std::string twice = R"(
    > {"id":1,"method":"open"}
    < {"id":1,"result":1}
    < {"id":1,"result":1}
  )";
  EXPECT_EQ(Findings("> {\"id\":7,\"result\":1}\n" + twice), "double open\n");
  EXPECT_EQ(Findings("> {\"id\":7,\"method\":\"open\",\"params\":3}\n" + twice), "double open\n");
  // Some peers may read this id from these messages.
  EXPECT_EQ(Findings("> {\"Id\":1,\"method\":\"open\"}\n" + twice), "");
  EXPECT_EQ(Findings("> {\"\\u0069d\":1,\"method\":\"open\"}\n" + twice), "");
  EXPECT_EQ(Findings("> {\"id\":1.0,\"method\":\"open\"}\n" + twice), "");
  EXPECT_EQ(Findings("> {\"id\":7,\"id\":7,\"result\":1}\n" + twice), "");
}

TEST(ProtocolOracleTest, AMessageThatIsNotUtf8IsReported) {
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":1,\"result\":\"\xff\"}\n due"),
            "utf8 response\n");
  EXPECT_EQ(
      Findings("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":1,\"result\":\"\xC3\xA4\"}\n due"),
      "");
}

TEST(ProtocolOracleTest, AnOracleThatIsOffReportsNothing) {
  const std::string sent = "> {\"id\":1,\"method\":\"open\"}\n";
  EXPECT_EQ(FindingsWith("-pollution", sent + "< hello\n"), "");
  EXPECT_EQ(FindingsWith("-missing", sent + "due\n"), "");
  EXPECT_EQ(
      FindingsWith("-double", sent + "< {\"id\":1,\"result\":1}\n < {\"id\":1,\"result\":1}\n"),
      "");
  EXPECT_EQ(FindingsWith("-shape", sent + "< {\"id\":1}\n"), "");
  EXPECT_EQ(FindingsWith("-utf8", sent + "< {\"id\":1,\"result\":\"\xff\"}\n"), "");
  EXPECT_EQ(FindingsWith("-bad-message", sent + "< {\"id\":1,\"result\":NaN}\n"), "");
  EXPECT_EQ(FindingsWith("none,+double", sent + "< hello\n due\n"), "");
}

TEST(ProtocolOracleTest, AFindingHasItsPartAndItsEvidence) {
  Talk talk;
  talk.Run(R"(
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
  EXPECT_EQ(Findings("< took 12 ms at 0x7f00\n"), Findings("< took 345 ms at 0x8a11\n"));
}

// ---- requests of the plugin

TEST(ProtocolOracleTest, ARequestOfThePluginIsAnswered) {
  EXPECT_EQ(Findings("< {\"id\":\"p1\",\"method\":\"ask\"}\n"),
            "> {\"jsonrpc\":\"2.0\",\"id\":\"p1\",\"result\":null}\n");
}

TEST(ProtocolOracleTest, TheAnswerIsTheRecordedOne) {
  Talk talk;
  talk.seeds().answers["ask"] = R"({"id":4,"result":{"yes":true}})";
  EXPECT_EQ(talk.Run("< {\"id\":\"p1\",\"method\":\"ask\"}\n"),
            "> {\"id\":\"p1\",\"result\":{\"yes\":true}}\n");
}

TEST(ProtocolOracleTest, TheAnswerIsTheOneInTheInput) {
  Talk talk;
  talk.seeds().peer_ids = {{"4", {}}};
  EXPECT_EQ(talk.Run(R"(
    > {"id":1,"method":"open"}
    < {"id":9,"method":"ask"}
    < {"id":1,"result":1}
    > {"id":4,"result":"mutated"}
    due
  )"),
            "> {\"id\":9,\"result\":\"mutated\"}\n");
  EXPECT_EQ(talk.sent(), "{\"id\":1,\"method\":\"open\"}\n") << "the answer is sent once";
}

TEST(ProtocolOracleTest, TheAnswerHasTheFramingOfTheProtocol) {
  Talk talk({}, wire::Framing::kContentLength);
  EXPECT_EQ(talk.Run("<= {\"id\":1,\"method\":\"ask\"}\n"),
            "> Content-Length: 38\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}\n");
}

// ---- framing

TEST(ProtocolOracleTest, ADamagedHeaderStreamExpectsNoAnswers) {
  Talk talk({}, wire::Framing::kContentLength);
  EXPECT_EQ(talk.Run(R"(
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

TEST(ProtocolOracleTest, AFreshPeerIsInSync) {
  Talk talk({}, wire::Framing::kContentLength);
  EXPECT_EQ(talk.Run(R"(
    => not JSON
    peer
    => {"id":2,"method":"open"}
    due
  )"),
            "missing open\n");
  EXPECT_TRUE(talk.in_sync());
}

TEST(ProtocolOracleTest, ABadLineKeepsLinesInSync) {
  Talk talk;
  EXPECT_EQ(talk.Run("> what\n > {\"id\":1,\"method\":\"open\"}\n due\n"), "missing open\n");
  EXPECT_TRUE(talk.in_sync());
}

TEST(ProtocolOracleTest, HalfAFrameIsNoBoundary) {
  Talk talk;
  talk.Run(">> {\"id\":1,\n");
  EXPECT_FALSE(talk.at_boundary());
}

TEST(ProtocolOracleTest, AProbeExpectsAnAnswer) {
  Talk talk;
  EXPECT_EQ(talk.Run("sent {\"id\":9,\"method\":\"probe\"}\n"), "");
  EXPECT_EQ(talk.owed(), 1u);
  EXPECT_EQ(talk.Run("sent {\"id\":9,\"method\":\"probe\"}\n < {\"id\":9,\"result\":1}"), "");
  EXPECT_EQ(talk.owed(), 0u);
}

// ---- dialects

wire::Dialect OpenDialect() {
  auto dialect =
      wire::LoadDialect(R"({"dialect":"test","framing":{"kind":"line","max_body":400},"methods":{
    "open":{"from":"host","kind":"request","params":{"type":"object"},
            "result":{"type":"object","required":["handle"]}},
    "log":{"from":"plugin","kind":"notification","params":{"required":["text"]}}},
    "lifecycle":{"last":["bye"]}})",
                        "test.json", /*strict=*/false, wire::BuiltInDialect);
  EXPECT_TRUE(dialect) << dialect.error().Text();
  return std::move(*dialect);
}

std::string FindingsOf(const wire::Dialect& dialect, std::string_view text) {
  return Talk({.dialect = &dialect}).Run(text);
}

TEST(ProtocolOracleDialectTest, AResultIsValidatedAgainstItsSchema) {
  const wire::Dialect dialect = OpenDialect();
  const std::string sent = "> {\"id\":1,\"method\":\"open\",\"params\":{}}\n";
  EXPECT_EQ(FindingsOf(dialect, sent + "< {\"id\":1,\"result\":{}}"),
            "dialect result open  required\n");
  EXPECT_EQ(FindingsOf(dialect, sent + "< {\"id\":1,\"result\":{\"handle\":1}}"), "");
  EXPECT_EQ(FindingsOf(dialect, sent + "< {\"id\":1,\"error\":{\"code\":1,\"message\":\"no\"}}"),
            "");
}

TEST(ProtocolOracleDialectTest, NoResultIsValidatedAfterAnUnfinishedBody) {
  const wire::Dialect dialect = OpenDialect();
  const auto findings = [&](std::string_view behind) {
    Seeds seeds(wire::Direction::kHostToPlugin);
    seeds.framing = wire::Framing::kContentLength;
    Features features({});
    std::string keys;
    ProtocolOracle oracle(&seeds, &features, {.dialect = &dialect},
                          [&](Finding finding) { keys += finding.key + "\n"; });
    const auto framed = [](std::string_view body) {
      return Framed(body, wire::Framing::kContentLength).bytes;
    };
    std::string sent = framed(R"({"jsonrpc":"2.0","id":1,"method":"open","params":{"path":"a"}})");
    const Input input = ParseInput(sent.append(behind), wire::Framing::kContentLength);
    oracle.OnRun(&input);
    for (size_t i = 0; i < input.parts.size(); ++i) oracle.PartToSend(i);
    std::string reply;
    oracle.OnBytes(framed(R"({"jsonrpc":"2.0","id":1,"result":null})"), &reply);
    return keys;
  };
  EXPECT_NE(findings(""), "");
  EXPECT_EQ(findings("Content-Length: 1073741824\r\n\r\n{\"id\":1"), "");
}

TEST(ProtocolOracleDialectTest, AnErrorIsAnObjectWithACode) {
  const wire::Dialect dialect = OpenDialect();
  const std::string sent = "> {\"id\":1,\"method\":\"open\",\"params\":{}}\n";
  EXPECT_EQ(FindingsOf(dialect, sent + "< {\"id\":1,\"error\":\"no\"}"), "dialect error open\n");
  EXPECT_EQ(FindingsOf(dialect, sent + "< {\"id\":1,\"error\":{\"code\":\"1\"}}"),
            "dialect error open\n");
}

TEST(ProtocolOracleDialectTest, CallsOfThePluginAreValidated) {
  const wire::Dialect dialect = OpenDialect();
  EXPECT_EQ(FindingsOf(dialect, "< {\"method\":\"log\",\"params\":{}}"),
            "dialect params log  required\n");
  EXPECT_EQ(FindingsOf(dialect, "< {\"method\":\"log\",\"params\":{\"text\":\"x\"}}"), "");
  EXPECT_EQ(FindingsOf(dialect, "< {\"method\":\"open\",\"params\":{}}"),
            "dialect direction open\n");
  EXPECT_EQ(FindingsOf(dialect, "< {\"method\":\"another\",\"params\":{}}"), "");
}

TEST(ProtocolOracleDialectTest, ABodyAboveItsLimitMayBeRefused) {
  const wire::Dialect dialect = OpenDialect();
  EXPECT_EQ(FindingsOf(dialect, "> {\"id\":1,\"method\":\"open\",\"params\":{\"x\":\"" +
                                    std::string(500, 'x') + "\"}}\n due"),
            "");
}

TEST(ProtocolOracleTest, AFrameThatIsNotJsonMayBeTheAnswer) {
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":1,\"result\":NaN1}\n due\n"),
            "bad-message a frame that is no JSON\n");
}

}  // namespace
}  // namespace midwire::fuzz
