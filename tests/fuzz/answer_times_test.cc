#include "fuzz/answer_times.h"

#include <gtest/gtest.h>

namespace midwire::fuzz {
namespace {

constexpr int64_t kMs = 1'000'000;

AnswerTimes After(size_t count, int64_t ms) {
  AnswerTimes times(100 * kMs, 2000 * kMs);
  for (size_t i = 0; i < count; ++i) times.Add(ms * kMs);
  return times;
}

TEST(AnswerTimesTest, AFewAnswersAreNotEnough) {
  EXPECT_FALSE(After(AnswerTimes::kEnough - 1, 10).enough());
  EXPECT_TRUE(After(AnswerTimes::kEnough, 10).enough());
}

TEST(AnswerTimesTest, TheTimeIsAMultipleOfThatOfTheSlowAnswers) {
  EXPECT_EQ(After(200, 10).Timeout(), 200 * kMs);
}

TEST(AnswerTimesTest, TheTimeHasBounds) {
  EXPECT_EQ(After(200, 1).Timeout(), 100 * kMs);
  EXPECT_EQ(After(200, 500).Timeout(), 2000 * kMs);
  EXPECT_EQ(After(200, INT64_MAX / kMs).Timeout(), 2000 * kMs) << "no overflow";
}

TEST(AnswerTimesTest, SingleStallsDoNotCount) {
  AnswerTimes times = After(200, 10);
  for (size_t i = 0; i < AnswerTimes::kStalls; ++i) times.Add(90 * kMs);
  EXPECT_EQ(times.Timeout(), 200 * kMs);
  times.Add(90 * kMs);
  EXPECT_EQ(times.Timeout(), 1800 * kMs) << "it is slower now";
}

TEST(AnswerTimesTest, TheUsualTimeIsThatOfHalfOfTheAnswers) {
  AnswerTimes times = After(70, 90);
  for (int i = 0; i < 50; ++i) times.Add(kMs);
  EXPECT_EQ(times.Usual(), 90 * kMs);
  for (int i = 0; i < 50; ++i) times.Add(kMs);
  EXPECT_EQ(times.Usual(), kMs) << "the first answers are forgotten";
}

TEST(AnswerTimesTest, WhatWasLongAgoIsForgotten) {
  AnswerTimes times = After(200, 90);
  for (size_t i = 0; i < AnswerTimes::kKept; ++i) times.Add(kMs);
  EXPECT_EQ(times.Timeout(), 100 * kMs);
}

}  // namespace
}  // namespace midwire::fuzz
