// What midwire doctor reads from the bytes that a plugin sent.
#include "tools/probing/probe.h"

#include <gtest/gtest.h>

#include "tests/tools/probing/answers.h"

namespace midwire::tools {
namespace {

using Answer = Received::Answer;

const Probe& ProbeOf(std::string_view title) {
  for (const Probe& probe : Probes()) {
    if (probe.title == title) return probe;
  }
  ADD_FAILURE() << "no probe of " << title;
  return Probes()[0];
}

std::string Framed(const std::string& body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST(ProbeTest, AnswerOfTheProtocol) {
  EXPECT_EQ(Judge(ProbeOf("MCP"), std::string(kMcpAnswer) + "\n", false).answer, Answer::kExpected);
  const std::string lsp = R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}})";
  EXPECT_EQ(Judge(ProbeOf("LSP"), Framed(lsp), false).answer, Answer::kExpected);
  const std::string dap =
      R"({"seq":1,"type":"response","request_seq":1,"success":true,"command":"initialize"})";
  EXPECT_EQ(Judge(ProbeOf("DAP"), Framed(dap), false).answer, Answer::kExpected);
}

TEST(ProbeTest, ResultOfAnotherProtocol) {
  EXPECT_EQ(Judge(ProbeOf("ACP"), std::string(kMcpAnswer) + "\n", false).answer, Answer::kOther);
  EXPECT_EQ(Judge(ProbeOf("DAP"), Framed(kMcpAnswer), false).answer, Answer::kOther);
}

TEST(ProbeTest, ErrorForInitialize) {
  const Received received =
      Judge(ProbeOf("MCP"),
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}})"
            "\n",
            false);
  EXPECT_EQ(received.answer, Answer::kError);
  EXPECT_EQ(received.error, "-32601, no");
}

TEST(ProbeTest, AnswerInTheOtherFraming) {
  EXPECT_TRUE(Judge(ProbeOf("MCP"), Framed(kMcpAnswer), false).other_framing);
  EXPECT_FALSE(Judge(ProbeOf("MCP"), std::string(kMcpAnswer) + "\n", false).other_framing);
}

TEST(ProbeTest, TextsOnStdoutAreCounted) {
  const Received received =
      Judge(ProbeOf("MCP"), "Starting\xff...\n\nReady\n" + std::string(kMcpAnswer) + "\n", false);
  EXPECT_EQ(received.answer, Answer::kExpected);
  EXPECT_EQ(received.stray, 2u);
  EXPECT_EQ(received.first_stray, "Starting\xff...");
  EXPECT_EQ(Judge(ProbeOf("MCP"), std::string(100000, 'x') + "\n", false).first_stray.size(),
            kMaxStray);
}

TEST(ProbeTest, AnswerWithoutALineEnd) {
  const Received received = Judge(ProbeOf("MCP"), kMcpAnswer, false);
  EXPECT_EQ(received.answer, Answer::kNone);
  EXPECT_TRUE(received.no_line_end);
  EXPECT_FALSE(Judge(ProbeOf("MCP"), std::string(kMcpAnswer) + "\n", false).no_line_end);
  EXPECT_FALSE(Judge(ProbeOf("MCP"), "{\"jsonrpc\":", false).no_line_end);
}

TEST(ProbeTest, RequestThatComesBack) {
  for (const Probe& probe : Probes()) {
    const Received received = Judge(probe, BytesOf(probe), false);
    EXPECT_TRUE(received.echo) << probe.title;
    EXPECT_EQ(received.answer, Answer::kNone);
  }
  const Received both = Judge(ProbeOf("MCP"),
                              R"({"id": 1, "method": "initialize"})"
                              "\n" +
                                  std::string(kMcpAnswer) + "\n",
                              false);
  EXPECT_TRUE(both.echo);
  EXPECT_EQ(both.answer, Answer::kExpected);
}

TEST(ProbeTest, OtherMessagesAreNoAnswer) {
  const Received received = Judge(ProbeOf("MCP"),
                                  "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n"
                                  "{\"jsonrpc\":\"2.0\",\"method\":\"hello\"}\n",
                                  false);
  EXPECT_EQ(received.answer, Answer::kNone);
  EXPECT_EQ(received.messages, 2u);
  EXPECT_FALSE(received.echo);
}

}  // namespace
}  // namespace midwire::tools
