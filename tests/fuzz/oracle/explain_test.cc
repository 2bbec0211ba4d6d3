// What `midwire fuzz --explain` prints about a session: a line for each message that is sent (>) or
// received (<).
#include "fuzz/oracle/explain.h"

#include <gtest/gtest.h>

#include "tests/lines.h"

namespace midwire::fuzz {
namespace {

struct Explanation {
  std::string text;
  std::optional<size_t> fault_at{};
};

// Until `ends`: without the lines about the end.
Explanation ExplainedTo(bool ends, const ExplainedFinding& finding, std::string_view script,
                        wire::Framing framing = wire::Framing::kLine, bool probed = false,
                        const OracleSet& oracles = DefaultOracles()) {
  Seeds seeds(wire::Direction::kHostToPlugin);
  seeds.framing = framing;
  seeds.usual_flags = wire::kNoVersion;
  seeds.methods = {"open", "ping"};
  Explainer explainer(&seeds, {.oracles = oracles}, probed, finding);
  for (const std::string& line : LinesOf(script)) {
    const std::string body = line.substr(2);
    const bool lines = framing == wire::Framing::kLine;
    explainer.On(line[0] == '>' ? wire::Direction::kHostToPlugin : wire::Direction::kPluginToHost,
                 lines            ? body + "\n"
                 : body[0] == '{' ? WithLength(body)
                                  : body + "\r\n\r\n");
  }
  if (ends) explainer.End();
  Explanation explanation = {explainer.text()};
  explanation.fault_at = explainer.fault_at();
  return explanation;
}

std::string Explained(std::string_view script, wire::Framing framing = wire::Framing::kLine,
                      bool probed = false, const OracleSet& oracles = DefaultOracles()) {
  return ExplainedTo(false, {}, script, framing, probed, oracles).text;
}

Explanation Ended(std::string_view script, const ExplainedFinding& finding) {
  return ExplainedTo(true, finding, script);
}

constexpr char kTwice[] = R"(
  > {"id":1,"method":"open"}
  < {"id":1,"result":1}
  < {"id":1,"result":1}
)";

TEST(ExplainerTest, AFaultHasItsRule) {
  EXPECT_EQ(Explained(kTwice),
            "-> request open: {\"id\":1,\"method\":\"open\"}\n"
            "<- {\"id\":1,\"result\":1}\n"
            "   response 1: a request with its id must be answered\n"
            "<- {\"id\":1,\"result\":1}\n"
            "   response 1: a request has its id, and was answered\n"
            "   reported: double open\n"
            "   because: a second answer to the request 1 (open)\n");
}

TEST(ExplainerTest, AnOracleThatIsOffIsNamed) {
  EXPECT_TRUE(Explained(kTwice, wire::Framing::kLine, false, *ParseOracles("-double"))
                  .ends_with("   not reported because the oracle double is off\n"));
}

TEST(ExplainerTest, WhatIsAcceptedHasAReason) {
  EXPECT_EQ(Explained(R"(
    > {"id":1,"method":"open",}
    < {"id":null,"error":{"code":-32700,"message":""}}
  )"),
            "-> request open: {\"id\":1,\"method\":\"open\",}\n"
            "<- {\"id\":null,\"error\":{\"code\":-32700,\"message\":\"\"}}\n"
            "   error null: it has no id, and a message was sent that peers may refuse\n"
            "   not reported because it may refuse that message\n");
}

// With a header that comes between an answer and its repetition.
std::string ExplainedWith(const std::string& header, bool probed) {
  const std::string answer = "< {\"id\":1,\"result\":1}\n";
  return Explained("> {\"id\":1,\"method\":\"open\"}\n" + answer + "> " + header + "\n" + answer,
                   wire::Framing::kContentLength, probed);
}

TEST(ExplainerTest, TheStateOfTheSessionIsAReason) {
  const std::string text = ExplainedWith("Content-Length: 99", false);
  EXPECT_TRUE(
      text.ends_with("-> a part of a message: Content-Length: 99\\r\\n\\r\\n\n"
                     "   the session is unfinished\n"
                     "<- {\"id\":1,\"result\":1}\n"
                     "   response 1: a request has its id, and was answered\n"
                     "   not reported because the session is unfinished, so double is no "
                     "fault\n"))
      << text;
}

TEST(ExplainerTest, AProbeEndsADoubt) {
  const std::string state = "   the session is maybe lost\n",
                    probe = "   a probe follows, which is not in the trace\n";
  EXPECT_NE(ExplainedWith("Content-Length: x", false).find(state), std::string::npos);
  const std::string probed = ExplainedWith("Content-Length: x", true);
  EXPECT_NE(probed.find(probe), std::string::npos) << probed;
  EXPECT_EQ(probed.find(state), std::string::npos) << probed;
}

// Otherwise any answer would be accepted after it.
TEST(ExplainerTest, AReplyToThePeerIsNoAnswerOfAMutant) {
  EXPECT_EQ(Explained(R"(
    < {"id":7,"method":"ask"}
    > {"id":7,"result":1}
    < {"id":8,"result":1}
  )"),
            "<- {\"id\":7,\"method\":\"ask\"}\n"
            "-> response: {\"id\":7,\"result\":1}\n"
            "<- {\"id\":8,\"result\":1}\n"
            "   response 8: anything else\n"
            "   reported: unknown after response\n"
            "   because: an answer with the id 8, which no request has\n");
}

// Two requests of one method, of which the second has no answer.
constexpr char kMissed[] = R"(
  > {"id":1,"method":"open"}
  < {"id":1,"result":1}
  > {"id":2,"method":"open"}
  > {"id":3,"method":"ping"}
  < {"id":3,"result":1}
)";

TEST(ExplainerTest, ARequestThatIsNotAnsweredHasItsLine) {
  const std::string end = Ended(kMissed, {Oracle::kMissing, "missing open"}).text;
  EXPECT_NE(end.find("-> request open: {\"id\":2,\"method\":\"open\"}\n"
                     "   must be answered; was not: reported\n"
                     "-> request ping"),
            end.npos)
      << end;
}

TEST(ExplainerTest, TheMessageAtFaultIsKnown) {
  const size_t size = std::string("{\"id\":1,\"method\":\"open\"}\n").size();
  EXPECT_EQ(Ended(kMissed, {Oracle::kMissing, "missing open"}).fault_at, size);
  EXPECT_EQ(Ended(kMissed, {Oracle::kSilence, "silence after request open"}).fault_at, size);
  EXPECT_EQ(Ended(kTwice, {Oracle::kDouble, "double open"}).fault_at, 0u);
  EXPECT_EQ(Ended(kTwice, {Oracle::kMemory, "memory resident"}).fault_at, std::nullopt);
  EXPECT_EQ(Ended(kTwice, {Oracle::kDouble, "double ping"}).fault_at, std::nullopt);
}

TEST(ExplainerTest, BytesThatAreNoMessageAreShown) {
  const std::string text = Explained("< ready\n");
  EXPECT_EQ(text,
            "<- ready\\n\n"
            "   reported: pollution ready\n"
            "   because: bytes on stdout that are not a message, after nothing\n");
}

TEST(ExplainerTest, ALongMessageIsCut) {
  const std::string text = Explained("> {\"id\":1,\"method\":\"" + Repeated("x", 999) + "\"}\n");
  EXPECT_LT(text.size(), 600u);
  EXPECT_NE(text.find("xx... (1019 bytes)"), text.npos) << text;
}

TEST(ExplainerTest, AnUnusualHeaderIsShown) {
  EXPECT_TRUE(Explained("> Content\u2010Length: 2\n", wire::Framing::kContentLength)
                  .starts_with("-> junk text: Content\\u2010Length: 2\\r\\n"));
  Seeds seeds(wire::Direction::kHostToPlugin);
  seeds.framing = wire::Framing::kContentLength;
  Explainer explainer(&seeds, {}, false);
  explainer.On(wire::Direction::kHostToPlugin, " Content-Length: 2\r\n\r\n{}");
  EXPECT_EQ(explainer.text(),
            "-> invalid ?:  Content-Length: 2\\r\\n\\r\\n{}\n"
            "   the session is maybe lost\n");
}

TEST(ExplainerTest, TextOfThePeerIsEscaped) {
  const std::string text = Explained("< {\"id\":\"\x1b[31m\",\"result\":1}\n");
  EXPECT_EQ(text.find('\x1b'), text.npos) << text;
}

}  // namespace
}  // namespace midwire::fuzz
