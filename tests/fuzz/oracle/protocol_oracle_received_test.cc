// Other bytes of the peer, and what a finding has.
#include <gtest/gtest.h>

#include "fuzz/oracle/protocol_oracle.h"
#include "tests/fuzz/oracle/talk.h"
#include "wire/dialect/built_in.h"

namespace midwire::fuzz {
namespace {

TEST(ProtocolOracleTest, OtherTextOnStdoutIsPollution) {
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\"}\n < listening on 4711\n"),
            "pollution listening on #\n");
}

TEST(ProtocolOracleTest, WhatIsOnlyRepeatedIsAnEcho) {
  Talk talk;
  EXPECT_EQ(talk.Run("> some text\n < some text\n"), "pollution echo\n");
  EXPECT_EQ(KindOf(talk.findings()[0]), FaultKind::kStyle);
  EXPECT_EQ(Findings("> x\n < x\n"), "pollution echo\n");
  EXPECT_EQ(Findings("> {}}\n < }\n"), "pollution echo\n") << "the rest of a line";
  EXPECT_EQ(Findings("> a text here\n < text\n"), "pollution text\n") << "a word of it alone";
  EXPECT_EQ(Findings("> some text\n < got: some text\n"), "pollution got: some text\n");
  EXPECT_EQ(Findings("< some text\n > some text\n"), "pollution some text\n") << "before";
}

TEST(ProtocolOracleTest, EmptyLinesAndACutOffLastLineAreNoPollution) {
  EXPECT_EQ(Findings("< \n << \n < \n << {\"id\":\n dies\n"), "");
}

TEST(ProtocolOracleTest, AFrameThatIsNoJsonIsABadMessage) {
  EXPECT_EQ(Findings("> {\"id\":1,\"method\":\"open\"}\n < {\"id\":1,\"result\":NaN}\n"),
            "bad-message a frame that is no JSON: a number after request open\n");
}

TEST(ProtocolOracleTest, WhatIsWrongWithABadMessageIsNamed) {
  const auto text = [](const std::string& value) {
    Talk talk;
    talk.Run("< {\"id\":1,\"result\":" + value + "}\n");
    return talk.findings().empty() ? "" : talk.findings()[0].text;
  };
  EXPECT_EQ(text("NaN"),
            "a frame that is not JSON (NaN: JSON has no such number, at byte 17), after nothing");
  EXPECT_EQ(text("-Infinity"),
            "a frame that is not JSON (-Infinity: JSON has no such number, at byte 17), "
            "after nothing");
  EXPECT_EQ(text("tru"),
            "a frame that is not JSON (tru: JSON has the words true, false and null, at byte 17), "
            "after nothing");
  EXPECT_EQ(text("\"\xed\xa0\xbd\""),
            "a message that is not UTF-8 (U+D83D, half of a surrogate pair, which UTF-8 does not "
            "have, at byte 18), after nothing");
}

TEST(ProtocolOracleTest, JsonThatIsNoMessageIsABadMessage) {
  EXPECT_EQ(Findings("< {\"hello\":\"world\"}\n"),
            "bad-message JSON that is no message after nothing\n");
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

// A finding that the probe shows must not be reduced to a session without messages.
TEST(ProtocolOracleTest, WhatIsWrittenAfterAProbeIsOfTheProbe) {
  constexpr char kProbe[] = "sent {\"id\":9,\"method\":\"ping\"}\n";
  for (const char* written : {"< got a ping\n", "< {\"id\":9,\"result\":NaN}\n",
                              "< {\"method\":\"note\",\"params\":\"\xff\"}\n"}) {
    Talk talk;
    talk.Run(std::string(kProbe) + written);
    talk.Run(std::string(kProbe) + "> {\"id\":1,\"method\":\"open\"}\n " + written);
    ASSERT_EQ(talk.findings().size(), 2u) << written;
    EXPECT_TRUE(talk.findings()[0].of_probe) << written;
    EXPECT_FALSE(talk.findings()[1].of_probe) << written;
  }
}

}  // namespace
}  // namespace midwire::fuzz
