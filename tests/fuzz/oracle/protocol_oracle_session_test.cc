// Requests of the plugin, and the framing of the session.
#include <gtest/gtest.h>

#include "fuzz/oracle/protocol_oracle.h"
#include "tests/fuzz/oracle/talk.h"
#include "wire/dialect/built_in.h"

namespace midwire::fuzz {
namespace {

std::string PlaceAfter(std::string_view sent, wire::Framing framing = wire::Framing::kLine) {
  Talk talk({}, framing);
  EXPECT_EQ(talk.Run(sent), "");
  return talk.place();
}

TEST(ProtocolOracleTest, APlaceNamesWhatWasNoMessageBefore) {
  EXPECT_EQ(PlaceAfter("> {\"id\":1,\n> {\"method\":\"note\"}\n> {\"id\":2,\"method\":\"open\"}\n"),
            "request open, 2 messages after a message that is not JSON");
  EXPECT_EQ(PlaceAfter("> {\"id\":2,\"method\":\"open\",}\n"), "request open, which is not JSON");
  EXPECT_EQ(PlaceAfter("> {}\n"), "invalid ?, which is no message");
  EXPECT_EQ(PlaceAfter("> {\"jsonrpc\":\"1.0\",\"method\":\"note\"}\n"),
            "notification note, which is not JSON-RPC 2.0");
  EXPECT_EQ(PlaceAfter("> {\"id\":2,\"method\":\"open\",}}\n"), "junk text, which is not JSON")
      << "one line";
  EXPECT_EQ(PlaceAfter("> {}\n> ready\n"), "junk text, 1 message after JSON that is no message");
  EXPECT_EQ(PlaceAfter("> ready\n> {\"method\":\"note\"}\nsent {\"id\":8,\"method\":\"ping\"}\n"),
            "notification note, 1 message after bytes that are no message");
}

TEST(ProtocolOracleTest, APlaceNamesWhatIsWrongWithAHeader) {
  constexpr auto kHeaders = wire::Framing::kContentLength;
  EXPECT_EQ(PlaceAfter(">>  \n=> {\"method\":\"note\"}\n", kHeaders),
            "notification note, with an unusual header");
  EXPECT_EQ(PlaceAfter("> Content\u2010Length: 2\n> \n=> {\"method\":\"note\"}\n", kHeaders),
            "notification note, 1 message after bytes that are no message");
  EXPECT_EQ(PlaceAfter("> Content\u2010Length: 2\n> \n", kHeaders), "junk text");
}

TEST(ProtocolOracleTest, AFindingAboutAProbeSaysSo) {
  Talk talk;
  EXPECT_EQ(talk.Run(R"(
    > {"id":1,"method":"open"}
    < {"id":"1","result":1}
    sent {"id":8,"method":"ping"}
    < {"id":"8","result":1}
    < {"id":8,"result":1}
    < {"id":1,"result":1}
  )"),
            "id-type open\nid-type ping\ndouble ping\ndouble open\n");
  for (const Finding& finding : talk.findings()) {
    EXPECT_EQ(finding.of_probe, finding.key.ends_with("ping")) << finding.key;
  }
}

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
  EXPECT_EQ(talk.state().sync, SyncState::kMaybeLost);
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
  EXPECT_EQ(talk.state().sync, SyncState::kInSync);
}

TEST(ProtocolOracleTest, ABadLineKeepsLinesInSync) {
  Talk talk;
  EXPECT_EQ(talk.Run("> what\n > {\"id\":1,\"method\":\"open\"}\n due\n"), "missing open\n");
  EXPECT_EQ(talk.state().sync, SyncState::kInSync);
}

TEST(ProtocolOracleTest, HalfAFrameIsNoBoundary) {
  Talk talk;
  talk.Run(">> {\"id\":1,\n");
  EXPECT_EQ(talk.state().sync, SyncState::kUnfinished);
}

TEST(ProtocolOracleTest, AProbeExpectsAnAnswer) {
  Talk talk;
  EXPECT_EQ(talk.Run("sent {\"id\":9,\"method\":\"probe\"}\n"), "");
  EXPECT_EQ(talk.state().due, 1u);
  EXPECT_TRUE(talk.state().probe_due);
  EXPECT_EQ(talk.Run("sent {\"id\":9,\"method\":\"probe\"}\n < {\"id\":9,\"result\":1}"), "");
  EXPECT_EQ(talk.state().due, 0u);
  EXPECT_FALSE(talk.state().probe_due);
  EXPECT_TRUE(talk.state().probe_answered);
}

}  // namespace
}  // namespace midwire::fuzz
