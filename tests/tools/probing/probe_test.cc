// What midwire doctor reads from the bytes that a plugin sent.
#include "tools/probing/probe.h"

#include <gtest/gtest.h>

#include "tests/tools/probing/answers.h"

namespace midwire::tools {
namespace {

using Answer = Heard::Answer;

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
  const Heard heard = Judge(ProbeOf("MCP"),
                            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}})"
                            "\n",
                            false);
  EXPECT_EQ(heard.answer, Answer::kError);
  EXPECT_EQ(heard.error, "-32601, no");
}

TEST(ProbeTest, AnswerInTheOtherFraming) {
  EXPECT_TRUE(Judge(ProbeOf("MCP"), Framed(kMcpAnswer), false).other_framing);
  EXPECT_FALSE(Judge(ProbeOf("MCP"), std::string(kMcpAnswer) + "\n", false).other_framing);
}

TEST(ProbeTest, TextsOnStdoutAreCounted) {
  const Heard heard =
      Judge(ProbeOf("MCP"), "Starting\xff...\n\nReady\n" + std::string(kMcpAnswer) + "\n", false);
  EXPECT_EQ(heard.answer, Answer::kExpected);
  EXPECT_EQ(heard.stray, 2u);
  EXPECT_EQ(heard.first_stray, "Starting\xff...");
  EXPECT_EQ(Judge(ProbeOf("MCP"), std::string(100000, 'x') + "\n", false).first_stray.size(),
            kMaxStray);
}

TEST(ProbeTest, AnswerWithoutALineEnd) {
  const Heard heard = Judge(ProbeOf("MCP"), kMcpAnswer, false);
  EXPECT_EQ(heard.answer, Answer::kNone);
  EXPECT_TRUE(heard.no_line_end);
  EXPECT_FALSE(Judge(ProbeOf("MCP"), std::string(kMcpAnswer) + "\n", false).no_line_end);
  EXPECT_FALSE(Judge(ProbeOf("MCP"), "{\"jsonrpc\":", false).no_line_end);
}

TEST(ProbeTest, RequestThatComesBack) {
  for (const Probe& probe : Probes()) {
    const Heard heard = Judge(probe, BytesOf(probe), false);
    EXPECT_TRUE(heard.echo) << probe.title;
    EXPECT_EQ(heard.answer, Answer::kNone);
  }
  const Heard both = Judge(ProbeOf("MCP"),
                           R"({"id": 1, "method": "initialize"})"
                           "\n" +
                               std::string(kMcpAnswer) + "\n",
                           false);
  EXPECT_TRUE(both.echo);
  EXPECT_EQ(both.answer, Answer::kExpected);
}

TEST(ProbeTest, OtherMessagesAreNoAnswer) {
  const Heard heard = Judge(ProbeOf("MCP"),
                            "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n"
                            "{\"jsonrpc\":\"2.0\",\"method\":\"hello\"}\n",
                            false);
  EXPECT_EQ(heard.answer, Answer::kNone);
  EXPECT_EQ(heard.messages, 2u);
  EXPECT_FALSE(heard.echo);
}

}  // namespace
}  // namespace midwire::tools
