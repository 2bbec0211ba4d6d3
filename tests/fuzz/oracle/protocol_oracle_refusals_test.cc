// What a peer may refuse or leave without an answer: large ids, bad JSON, invalid requests,
// batches.
#include <gtest/gtest.h>

#include "fuzz/oracle/protocol_oracle.h"
#include "tests/fuzz/oracle/talk.h"
#include "wire/dialect/built_in.h"

namespace midwire::fuzz {
namespace {

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
  EXPECT_EQ(talk.state().sync, SyncState::kClosing);
}

TEST(ProtocolOracleTest, AVersionThatTheRecordingDoesNotHaveMayBeRefused) {
  EXPECT_EQ(Findings("> {\"jsonrpc\":\"3.0\",\"id\":1,\"method\":\"open\"}\n due"), "");
  EXPECT_EQ(Findings("> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\"}\n due"),
            "missing open\n");
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

}  // namespace
}  // namespace midwire::fuzz
