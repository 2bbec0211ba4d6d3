#include "replay/match/progress.h"

#include <gtest/gtest.h>

#include "tests/replay/steps.h"

namespace midwire::replay {
namespace {

constexpr Direction kHost = Direction::kHostToPlugin;

TEST(ReplayProgressTest, TheFrontOfAnswersAndCallsPassesNotifications) {
  const Script script = StepsOf(">a <!log <a");
  Progress progress(&script, kHost);
  EXPECT_EQ(progress.front(Front::kAnswersAndCalls), 2u);
  EXPECT_EQ(progress.front(Front::kAll), 1u);
  progress.SetDone(2);
  EXPECT_TRUE(progress.all_done(Front::kAnswersAndCalls));
  EXPECT_EQ(progress.front(Front::kAll), 1u);
}

TEST(ReplayProgressTest, ADoubtfulCallIsNotWaitedFor) {
  const Script script = StepsOf(">a <ask >ask <a");
  Progress progress(&script, kHost);
  EXPECT_EQ(progress.front(Front::kAnswersAndCalls), 1u);
  progress.SetDoubtful(1);
  EXPECT_EQ(progress.front(Front::kAnswersAndCalls), 3u);
  EXPECT_FALSE(progress.done(1));
}

TEST(ReplayProgressTest, ACoveredNotificationIsNotWaitedForButNotDone) {
  const Script script = StepsOf("<!log <!log");
  Progress progress(&script, kHost);
  progress.SetCovered(0);
  EXPECT_EQ(progress.front(Front::kAll), 1u);
  EXPECT_FALSE(progress.done(0));
}

TEST(ReplayProgressTest, WhatIsGivenUpStaysSettled) {
  const Script script = StepsOf("<!log <!log >!go");
  Progress progress(&script, kHost);
  progress.GiveUp(Front::kAll, 2);
  EXPECT_EQ(progress.front(Front::kAll), 3u);
  progress.SetDone(0);
  EXPECT_EQ(progress.front(Front::kAll), 3u);
}

TEST(ReplayProgressTest, OurPartIsOurMessagesAndTheAnswersToOurRequests) {
  const Script script = StepsOf("<ask >!note >a <a >ask");
  Progress progress(&script, kHost);
  EXPECT_EQ(progress.front(Front::kOurPart), 1u);
  progress.SetDone(1);
  progress.SetDone(2);
  EXPECT_EQ(progress.front(Front::kOurPart), 3u);
  progress.SetDone(3);
  EXPECT_EQ(progress.front(Front::kOurPart), 5u);
  EXPECT_EQ(progress.front(Front::kOurAnswers), 4u);
}

}  // namespace
}  // namespace midwire::replay
