#include "replay/play/gate.h"

#include <gtest/gtest.h>

#include "replay/play/idle_hold.h"
#include "tests/replay/steps.h"

namespace midwire::replay {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// A gate of the host of a script, at time 0.
struct AGate {
  explicit AGate(const std::string& words, Gate::Options options = {})
      : script(StepsOf(words)),
        progress(&script, Direction::kHostToPlugin),
        patience(5 * kSecond),
        gate(&progress, &patience, options) {}
  Script script;
  Progress progress;
  Patience patience;
  Gate gate;
};

TEST(ReplayGateTest, ClosedForeverWhileAnAnswerIsMissing) {
  AGate it(">a <a >!go");
  const GateState state = it.gate.ForArrivals(2, Front::kAll, false, 60 * kSecond);
  EXPECT_FALSE(state.open);
  EXPECT_EQ(state.retry_at, kNever);
}

TEST(ReplayGateTest, OpenOnceEverythingHasArrived) {
  AGate it(">a <a >!go");
  it.progress.SetDone(1);
  EXPECT_TRUE(it.gate.ForArrivals(2, Front::kAll, false, 0).open);
  EXPECT_FALSE(it.gate.ForArrivals(2, Front::kAll, false, 0).in_vain);
}

TEST(ReplayGateTest, ANotificationIsWaitedForAndThenInVain) {
  AGate it("<!log >!go");
  EXPECT_EQ(it.gate.ForArrivals(1, Front::kAll, false, 0).retry_at, kSecond);
  EXPECT_TRUE(it.gate.ForArrivals(1, Front::kAll, false, kSecond).in_vain);
}

TEST(ReplayGateTest, TheRecordedPauseBeforeVolatileMessagesCountsToo) {
  AGate it(">!x <!progress <!stopped >!go");
  it.progress.SetDone(0);
  it.script.steps[1].delay_us = 1'200'000;
  it.script.steps[2].delay_us = 300'000;
  it.script.steps[1].is_volatile = true;
  it.progress.SetDone(1);
  EXPECT_EQ(it.gate.ForArrivals(3, Front::kAll, false, 0).retry_at, 3 * kSecond);
}

TEST(ReplayGateTest, AskingChangesNothing) {
  AGate it("<!log >!go");
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(it.gate.ForArrivals(1, Front::kAll, false, kSecond).in_vain);
  EXPECT_FALSE(it.gate.ForArrivals(1, Front::kAll, false, 0).open);
}

TEST(ReplayGateTest, TheStrictOrderWaitsForNotificationsForever) {
  AGate it("<!log >!go");
  EXPECT_FALSE(it.gate.ForArrivals(1, Front::kAll, true, 60 * kSecond).open);
}

TEST(ReplayGateTest, OnlyTheEndWaitsForAMessageThatMayComeAtAnyPlace) {
  AGate it(">!x <!log >!go");
  it.script.steps[1].floating = true;
  const Progress progress(&it.script, Direction::kHostToPlugin);
  const Gate gate(&progress, &it.patience, {});
  EXPECT_TRUE(gate.ForArrivals(2, Front::kAll, false, 0).open);
  EXPECT_FALSE(gate.ForArrivals(3, Front::kEnd, false, 0).open);
}

TEST(ReplayGateTest, AFunctionIsNotWaitedFor) {
  AGate it("<!log >!go", {.process = false});
  EXPECT_TRUE(it.gate.ForArrivals(1, Front::kAll, false, 0).open);
}

TEST(ReplayGateTest, ARecordedPauseIsKeptAtItsSpeed) {
  AGate it("<!log >!go", {.speed = 2});
  it.script.timed = true;
  it.script.steps[1].delay_us = 1'000'000;
  EXPECT_EQ(it.gate.ForPause(1, 7, 7).retry_at, 7 + kSecond / 2);
  EXPECT_TRUE(it.gate.ForPause(1, 7, 7 + kSecond / 2).open);
}

TEST(ReplayGateTest, APeerThatRunsIsNotSilentYet) {
  AGate it("<!log >!go");
  EXPECT_TRUE(it.gate.ForArrivals(1, Front::kAll, false, kSecond).if_idle);
  EXPECT_TRUE(it.gate.ForSilence(kSecond / 4, kSecond / 4).if_idle);
}

TEST(ReplayGateTest, OneThatAlwaysRunsGetsHalfOfTheWaitMore) {
  AGate it("<!log >!go");
  EXPECT_FALSE(it.gate.ForSilence(kSecond / 4, kSecond * 3 / 8).if_idle);
  EXPECT_TRUE(it.gate.ForSilence(4 * kSecond, 4 * kSecond + kBusyPatienceNs - 1).if_idle);
  EXPECT_FALSE(it.gate.ForSilence(4 * kSecond, 4 * kSecond + kBusyPatienceNs).if_idle);
}

TEST(ReplayPatienceTest, EachWaitInVainHalvesTheNext) {
  Patience patience(5 * kSecond);
  EXPECT_EQ(patience.ForNotification(0), kSecond);
  patience.OnWaitedInVain();
  EXPECT_EQ(patience.ForNotification(0), kSecond / 2);
}

TEST(ReplayPatienceTest, APauseInTheRecordingIsAllowedTwice) {
  Patience patience(5 * kSecond);
  EXPECT_EQ(patience.ForNotification(2 * kSecond), 4 * kSecond);
  EXPECT_EQ(patience.ForNotification(20 * kSecond), 5 * kSecond);
}

TEST(ReplayPatienceTest, TalkThatLeadsNowhereEndsAfterFourTimesTheSilence) {
  Patience patience(5 * kSecond);
  patience.OnProgress(0);
  patience.OnActivity(19 * kSecond);
  EXPECT_EQ(patience.Until(5 * kSecond), 20 * kSecond);
}

TEST(ReplayPatienceTest, TimeWithoutAProcessorIsNotSilence) {
  Patience patience(5 * kSecond);
  EXPECT_TRUE(patience.OnStarved(2 * kSecond));
  EXPECT_EQ(patience.Until(5 * kSecond), 7 * kSecond);
}

TEST(ReplayPatienceTest, NotForeverThough) {
  Patience patience(kSecond);
  while (patience.OnStarved(kSecond)) {
  }
  EXPECT_EQ(patience.Until(kSecond), (kMaxStarvedShare + 1) * kSecond);
}

TEST(ReplayIdleHoldTest, AnIdlePeerIsAnsweredAtOnce) {
  IdleHold hold;
  EXPECT_TRUE(hold.Update(3, true, 0).open);
}

TEST(ReplayIdleHoldTest, ABusyOneIsLookedAtAgainSoon) {
  IdleHold hold;
  EXPECT_EQ(hold.Update(3, false, 0).retry_at, kIdlePollNs);
  EXPECT_TRUE(hold.Update(3, true, kIdlePollNs).open);
}

TEST(ReplayIdleHoldTest, OneThatAlwaysComputesIsWaitedForOnce) {
  IdleHold hold;
  EXPECT_FALSE(hold.Update(3, false, 0).open);
  EXPECT_TRUE(hold.Update(3, false, kIdlePatienceNs).open);
  EXPECT_TRUE(hold.Update(5, false, kIdlePatienceNs).open);
}

}  // namespace
}  // namespace midwire::replay
