// Answers: expected, missing, doubled, unknown, of another id or shape.
#include <gtest/gtest.h>

#include "fuzz/oracle/protocol_oracle.h"
#include "tests/fuzz/oracle/talk.h"
#include "wire/dialect/built_in.h"

namespace midwire::fuzz {
namespace {

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
  EXPECT_TRUE(talk.state().settled);
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

TEST(ProtocolOracleTest, ARefusalWithoutAnIdIsNotTheFirstAnswerToAnObjectAsId) {
  EXPECT_EQ(Findings(R"(
    > {"id":{"value":1},"method":"open"}
    > []
    < {"error":{"code":-32600,"message":"no message"}}
    < {"id":{"value":1},"result":1}
  )"),
            "");
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

TEST(ProtocolOracleTest, AnAnswerUnderAWrongIdIsOneFinding) {
  Talk talk;
  EXPECT_EQ(talk.Run(R"(
    > {"id":1,"method":"open"}
    < {"id":77,"result":1}
    due
  )"),
            "unknown after request open\n");
  EXPECT_EQ(talk.findings()[0].text,
            "the answer to the request 1 (open) has the id 77, which no request has");
}

TEST(ProtocolOracleTest, AsManyUnknownAnswersAsRequestsAreTheirAnswers) {
  const std::string two = R"(
    > {"id":1,"method":"open"}
    > {"id":2,"method":"ping"}
    < {"id":77,"result":1}
  )";
  EXPECT_EQ(Findings(two + "< {\"id\":2,\"result\":1}\n due\n"), "unknown after request ping\n");
  EXPECT_EQ(Findings(two + "due\n"), "unknown after request ping\nmissing open\nmissing ping\n");
}

TEST(ProtocolOracleTest, AnAcceptedAnswerWithAnIdOfItsOwnMayBeTheMissingOne) {
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open",,}
    > {"id":2,"method":"open"}
    < {"id":77,"result":1}
    due
  )"),
            "");
}

TEST(ProtocolOracleTest, TheAnswerMayStillComeAfterAnUnknownOne) {
  EXPECT_EQ(Findings(R"(
    > {"id":1,"method":"open"}
    < {"id":77,"result":1}
    < {"id":1,"result":1}
    due
  )"),
            "unknown after request open\n");
}

TEST(ProtocolOracleTest, AnUnknownAnswerThatIsNotReportedHidesNoMissingOne) {
  EXPECT_EQ(FindingsWith("-unknown", R"(
    > {"id":1,"method":"open"}
    < {"id":77,"result":1}
    due
  )"),
            "missing open\n");
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

// The refusal of an answer of ours, or the answer to the request under an id of another type.
TEST(ProtocolOracleTest, AnAnswerThatMayBeThatOfTheRequestLeavesNoneMissing) {
  EXPECT_EQ(Findings(R"(
    > {"id":"3","result":{}}
    > {"id":3,"method":"open"}
    < {"id":"3","result":1}
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

TEST(ProtocolOracleTest, AMethodThatTheProtocolDoesNotHaveIsAQuestionMark) {
  Talk talk;
  talk.Run("> {\"id\":7,\"method\":\"other\"}\n due\n");
  ASSERT_EQ(talk.findings().size(), 1u);
  EXPECT_EQ(talk.findings()[0].text, "no answer to the request 7 (?)");
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

}  // namespace
}  // namespace midwire::fuzz
