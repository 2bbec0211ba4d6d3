// Peers that are right, though unusual: what they do is at most a note, or a warning where it is
// worth a look.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/live/live.h"

namespace midwire::fuzz {
namespace {

// "warning exit 1 after junk text", one per line.
std::string Rated(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += std::string(Name(SeverityOf(KindOf(finding)))) + " " + finding.key + "\n";
  }
  return text;
}

std::string RatedPlay(Live* live, std::string_view text) {
  const auto findings = live->Calibrated().runner().Play(
      {.input = ParseInput(text, wire::Framing::kLine)}, 1, nullptr);
  return findings ? Rated(*findings) : findings.error().Text();
}

constexpr char kNonsense[] = "not a message\n";

TEST(CorrectPeerTest, BytesThatAreOnlyRepeatedAreANote) {
  Live live("echoes_junk");
  EXPECT_EQ(RatedPlay(&live, kNonsense), "note pollution echo\n");
}

TEST(CorrectPeerTest, AMethodThatEndedTheRecordedPluginMayEndIt) {
  constexpr char kQuit[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"quit\"}\n";
  Live live("quits"), unrecorded("quits");
  live.seeds().ends = {"quit"};
  EXPECT_EQ(RatedPlay(&live, kQuit), "");
  EXPECT_THAT(RatedPlay(&unrecorded, kQuit), testing::StartsWith("error exit 0 after request ?"));
}

TEST(CorrectPeerTest, AMethodThatMayHaveEndedTheRecordedPluginIsTried) {
  constexpr char kQuit[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"quit\"}\n";
  Live live("quits");
  live.seeds().may_end = {{"quit", {.bytes = kQuit}}, {"open", {.bytes = kGood}}};
  live.seeds().inputs = {ParseInput(std::string(kGood) + kQuit, wire::Framing::kLine)};
  EXPECT_EQ(RatedPlay(&live, kQuit), "");
  EXPECT_EQ(testing::PrintToString(live.seeds().ends), "{ \"quit\" }");
  EXPECT_EQ(live.seeds().inputs[0].Bytes(), kGood) << "nor is it mutated";
}

TEST(CorrectPeerTest, AnExitWithItsReasonAfterNonsenseIsAWarning) {
  Live live("gives_up_on_junk");
  EXPECT_THAT(RatedPlay(&live, kNonsense),
              testing::StartsWith("warning exit 1: gives up: ill: not a message"));
}

TEST(CorrectPeerTest, RequestsLeftAtTheEndOfStdinAreANoteIfTheRecordedPluginExitedThen) {
  for (const bool exits : {true, false}) {
    Live live("lost_at_eof");
    live.seeds().exits_at_eof = exits;
    EXPECT_EQ(live.Calibrated().Run(kGood), "");
    EXPECT_THAT(Rated(live.runner().Retire()),
                testing::StartsWith(exits ? "note lost-at-eof " : "warning lost-at-eof "));
  }
}

TEST(CorrectPeerTest, AStatusAtTheEndOfStdinIsANoteIfTheRecordedOneIsZero) {
  constexpr char kNoteOfIt[] = "note exit 3 at the end of stdin\n";
  for (const auto& [recorded, expected] : {std::pair(0, kNoteOfIt), {3, ""}}) {
    Live live("fails_at_eof");
    live.seeds().eof_codes = {recorded};
    EXPECT_EQ(live.Calibrated().Run(kGood), "");
    EXPECT_EQ(Rated(live.runner().Retire()), expected);
  }
}

TEST(CorrectPeerTest, AnIdThatCannotBeUsedIsRefusedWithoutIt) {
  Live live("calm");
  live.Calibrated();
  for (const char* id : {"[1]", "{}", "true"}) {
    const std::string sent = "{\"jsonrpc\":\"2.0\",\"id\":" + std::string(id) +
                             ",\"method\":\"open\",\"params\":{\"path\":\"a\"}}\n";
    EXPECT_EQ(live.Run(sent + kGood), "") << id;
  }
}

TEST(CorrectPeerTest, AMessageThatIsRequestAndAnswerNeedsNoAnswer) {
  constexpr char kBoth[] =
      "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"open\",\"params\":{\"path\":\"a\"},\"result\":1}"
      "\n";
  for (const char* mode : {"strict", "calm"}) {
    Live live(mode);
    EXPECT_EQ(RatedPlay(&live, std::string(kBoth) + kGood), "") << mode;
  }
}

}  // namespace
}  // namespace midwire::fuzz
