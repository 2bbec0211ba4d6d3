// The investigation of a finding, with a target that plays what a test says.
#include "fuzz/live/investigate.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace midwire::fuzz {
namespace {

constexpr char kKey[] = "silence after request open", kDeath[] = "signal SIGABRT after later";

// Each play takes the next letter: 's' shows the finding, 'p' shows it by the answer to a probe,
// 'd' shows a death, '-' does not show it, and 'c' is cut by the end of the run, which shows
// nothing. After the last, the run ends before a play.
class ScriptedTarget : public Target {
 public:
  explicit ScriptedTarget(std::string plays) : plays_(std::move(plays)) {
    stop = [this] { return stopped_ || next_ == plays_.size(); };
  }
  Result<std::vector<Finding>> Play(const Case&, int, Transcript*) override {
    const char play = next_ < plays_.size() ? plays_[next_++] : 'c';
    stopped_ = stopped_ || play == 'c';
    ++plays_made;
    clock += play_time;
    if (play == 'd') return std::vector<Finding>{{.oracle = Oracle::kSignal, .key = kDeath}};
    if (play != 's' && play != 'p') return std::vector<Finding>();
    return std::vector<Finding>{{.oracle = Oracle::kSilence, .key = kKey, .of_probe = play == 'p'}};
  }
  std::optional<Part> ProbePart() const override {
    return Framed("{\"id\":9,\"method\":\"probe\"}", wire::Framing::kLine);
  }
  Case Recent(size_t) const override {
    return {.input = ParseInput("{\"id\":1,\"method\":\"open\"}\n", wire::Framing::kLine)};
  }
  Case History() const override { return Recent(0); }
  Status Calibrate() override { return Ok{}; }
  void UseRecord(const FindingRecord&) override {}
  void Describe(FindingRecord*) const override {}
  std::string AliveText() const override { return ""; }
  int64_t timeout_ns() const override { return 1; }
  Result<std::vector<Finding>> Run(Input, Pace) override { return std::vector<Finding>(); }
  std::vector<Finding> Retire() override { return {}; }
  wire::Direction ours() const override { return wire::Direction::kHostToPlugin; }
  uint64_t messages() const override { return 0; }
  uint64_t starts() const override { return 0; }
  int plays_made = 0;
  int64_t clock = 0, play_time = 0;

 private:
  const std::string plays_;
  size_t next_ = 0;
  bool stopped_ = false;
};

// How many of how many plays confirm the finding.
std::string Confirmed(const std::string& plays) {
  ScriptedTarget target(plays);
  const auto found = Investigate(&target, {.oracle = Oracle::kSilence, .key = kKey},
                                 {.stop = [&] { return target.stop(); }});
  EXPECT_TRUE(found);
  return std::to_string(found->hits) + " of " + std::to_string(found->tries);
}

TEST(ScriptedInvestigateTest, APlayThatTheEndOfTheRunCutsCountsNeitherWay) {
  EXPECT_EQ(Confirmed("ssc"), "2 of 2");
  EXPECT_EQ(Confirmed("c"), "0 of 0");
  EXPECT_EQ(Confirmed("s-c"), "1 of 2") << "the second was not cut";
}

TEST(ScriptedInvestigateTest, ASuspicionThatAPlayHasShownIsConfirmedByIt) {
  EXPECT_EQ(Confirmed("s"), "1 of 1");
}

TEST(ScriptedInvestigateTest, APlayThatShowsItCountsEvenIfTheRunEndsThen) {
  EXPECT_EQ(Confirmed("ss"), "2 of 2");
}

TEST(ScriptedInvestigateTest, APlayInTurnThatTheEndOfTheRunCutsTakesNoConfirmationAway) {
  ScriptedTarget target("sc");
  Case life = target.Recent(0);
  life.pace = Pace::kPipelined;
  const auto found = Investigate(&target, {.oracle = Oracle::kSilence, .key = kKey}, {life},
                                 {.stop = [&] { return target.stop(); }});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->hits, 1);
}

TEST(ScriptedInvestigateTest, PlaysThatConfirmLeaveTimeForTheReduction) {
  constexpr int64_t kSecond = 1'000'000'000;
  ScriptedTarget target(std::string(99, 's'));
  target.play_time = kSecond;
  const auto found = Investigate(&target, {.oracle = Oracle::kSilence, .key = kKey},
                                 {.max_time_ns = 5 * kSecond, .now = [&] { return target.clock; }});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->finished);
  EXPECT_EQ(found->reducing_ns, kSecond);
  EXPECT_EQ(target.clock, 5 * kSecond) << "the first play, the reduction, three at the end";
}

// A message that may be answered in any way hides it, if it is sent before the wrong answer
// arrives.
TEST(ScriptedInvestigateTest, AWrongAnswerThatDoesNotShowAtOnceIsSoughtInTurn) {
  for (const auto& [oracle, hits] : {std::pair(Oracle::kDouble, 5), {Oracle::kMissing, 0}}) {
    ScriptedTarget target("-" + std::string(99, 's'));
    Case life = target.Recent(0);
    life.pace = Pace::kPipelined;
    const auto found = Investigate(&target, {.oracle = oracle, .key = kKey}, {life}, {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->hits, hits) << Name(oracle);
  }
}

TEST(ScriptedInvestigateTest, ADeathThatNeedsMessagesAtOnceMayComeAtAnotherOne) {
  ScriptedTarget target("-" + std::string(99, 'd'));
  Case life = target.Recent(0);
  life.pace = Pace::kPipelined;
  const auto found = Investigate(
      &target, {.oracle = Oracle::kSignal, .key = "signal SIGABRT after open"}, {life}, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->finding.key, kDeath);
  EXPECT_EQ(found->hits, 5);
}

// A cassette has no probe, so nothing in it would show the finding.
TEST(ScriptedInvestigateTest, WhatOnlyAProbeShowsDoesNotConfirmAFindingAboutAMessage) {
  EXPECT_EQ(Confirmed("pppppp"), "0 of 0");
  const std::vector<Finding> both = {{.key = "double ", .of_probe = true}, {.key = "double open"}};
  EXPECT_EQ(FindKey(both, "double ")->key, "double open");
}

TEST(ScriptedInvestigateTest, AFindingAboutAProbeIsPlayedWithTheProbeAsItsMessage) {
  const ScriptedTarget target("");
  const auto sent = [&](bool of_probe) {
    return CasesOf(target, {.key = kKey, .of_probe = of_probe})[0].input.Bytes();
  };
  EXPECT_EQ(sent(true), sent(false) + "{\"id\":9,\"method\":\"probe\"}\n");
}

TEST(ScriptedInvestigateTest, ASuspicionThatOnePlayDoesNotShowIsGivenUp) {
  ScriptedTarget target("-sssssss");
  const auto found = Investigate(&target, {.oracle = Oracle::kSilence, .key = kKey}, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->hits, 0);
  EXPECT_EQ(target.plays_made, 1) << "its history is the same run";
}

}  // namespace
}  // namespace midwire::fuzz
