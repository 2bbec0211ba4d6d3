#include "replay/open_steps.h"

#include <gtest/gtest.h>

#include "wire/exchange.h"

namespace midwire::replay {
namespace {

TEST(ReplayOpenStepsTest, AnAnswerClosesTheRequestWithItsId) {
  OpenSteps open;
  open.Open("1", "a", 0);
  EXPECT_EQ(open.Close("\"1\""), kNoStep);
  EXPECT_EQ(open.Close("1"), 0u);
  EXPECT_EQ(open.Close("1"), kNoStep);
}

TEST(ReplayOpenStepsTest, AnswersInAnyOrder) {
  OpenSteps open;
  for (StepIndex i = 0; i < 4; ++i) open.Open(std::to_string(i), "a", i);
  for (const StepIndex i : {2u, 3u, 0u, 1u}) EXPECT_EQ(open.Close(std::to_string(i)), i);
}

TEST(ReplayOpenStepsTest, TheOldestOfOneIdFirst) {
  OpenSteps open;
  for (StepIndex i = 0; i < 100; ++i) open.Open("1", "a", i);
  for (StepIndex i = 0; i < 50; ++i) EXPECT_EQ(open.Close("1"), i);
  open.Open("1", "a", 100);
  for (StepIndex i = 50; i <= 100; ++i) EXPECT_EQ(open.Close("1"), i);
  EXPECT_EQ(open.Close("1"), kNoStep);
}

TEST(ReplayOpenStepsTest, HasTheLimitsOfExchanges) {
  OpenSteps open;
  const StepIndex most = wire::kMaxOpenRequests;
  for (StepIndex i = 0; i <= most; ++i) open.Open(std::to_string(i), "", i);
  EXPECT_EQ(open.Close(std::to_string(most)), kNoStep);
  EXPECT_EQ(open.Close(std::to_string(most - 1)), most - 1);
  open.Open("x", std::string(wire::kMaxOpenBytes, 'm'), 1);
  EXPECT_EQ(open.Close("x"), kNoStep);
}

}  // namespace
}  // namespace midwire::replay
