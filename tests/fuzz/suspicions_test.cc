// Which suspicions are examined when, with a virtual clock in seconds.
#include "fuzz/suspicions.h"

#include <gtest/gtest.h>

#include <string>

namespace midwire::fuzz {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

Suspicion Of(const std::string& key, size_t bytes = 1) {
  const Case small = {.input = {.parts = {{.bytes = "x"}}}},
             large = {.input = {.parts = {{.bytes = std::string(bytes, 'x')}}}};
  return {.finding = {.oracle = Oracle::kSilence, .key = key}, .cases = {small, large}};
}

// Adds one each second, of which each examination takes `cost` seconds; returns the time that they
// took in a run of so many seconds without its reserve.
int64_t SpentIn(int64_t seconds, int64_t cost) {
  Suspicions suspicions(0);
  int64_t spent = 0;
  for (int64_t now = 0; now < seconds; ++now) {
    suspicions.Add(Of("a"));
    if (!suspicions.Next(now * kSecond)) continue;
    suspicions.OnExamined(cost * kSecond, false);
    spent += cost, now += cost;
  }
  return spent;
}

TEST(SuspicionsTest, ThoseThatAreNotConfirmedTakeLessThanAFifth) {
  EXPECT_LE(SpentIn(60, 2), 12);
  EXPECT_LE(SpentIn(600, 5), 120);
  EXPECT_GT(SpentIn(600, 5), 60) << "the share is used";
}

TEST(SuspicionsTest, TheFirstAreExaminedAtOnceUntilOneIsConfirmed) {
  Suspicions suspicions(8 * kSecond);
  for (const char* key : {"a", "b", "c", "d"}) suspicions.Add(Of(key));
  for (int i = 0; i < Suspicions::kFirst; ++i) {
    ASSERT_TRUE(suspicions.Next(i * kSecond)) << i;
    suspicions.OnExamined(kSecond, false);
  }
  EXPECT_FALSE(suspicions.Next(3 * kSecond));
}

TEST(SuspicionsTest, WhatIsConfirmedCostsNoShare) {
  Suspicions suspicions(0);
  for (const char* key : {"a", "b", "c"}) suspicions.Add(Of(key));
  suspicions.OnExamined(5 * kSecond, true);
  ASSERT_TRUE(suspicions.Next(10 * kSecond));
  suspicions.OnExamined(2 * kSecond, false);
  EXPECT_FALSE(suspicions.Next(12 * kSecond)) << "one was confirmed, so the share holds";
  EXPECT_TRUE(suspicions.Next(15 * kSecond));
}

TEST(SuspicionsTest, WhatStillWaitsIsExaminedInTheReserveAtTheEnd) {
  Suspicions suspicions(60 * kSecond);
  suspicions.OnExamined(0, true);
  suspicions.OnExamined(20 * kSecond, false);
  for (const char* key : {"a", "b", "c"}) suspicions.Add(Of(key));
  EXPECT_FALSE(suspicions.Next(56 * kSecond));
  EXPECT_EQ(suspicions.TimeFor(56 * kSecond), INT64_MAX);
  const auto next = suspicions.Next(57 * kSecond);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->finding.key, "a");
  EXPECT_EQ(suspicions.TimeFor(57 * kSecond), kSecond) << "of three seconds for three";
}

TEST(SuspicionsTest, AShortRunHasAReserveOfTwoSeconds) {
  Suspicions suspicions(8 * kSecond);
  suspicions.OnExamined(0, true);
  suspicions.OnExamined(5 * kSecond, false);
  suspicions.Add(Of("a"));
  EXPECT_FALSE(suspicions.Next(6 * kSecond - 1));
  EXPECT_TRUE(suspicions.Next(6 * kSecond));
}

TEST(SuspicionsTest, TooManyAreRefusedAndTooLongCasesLeftOut) {
  Suspicions suspicions(0);
  suspicions.Add(Of("a", Suspicions::kMaxBytes));
  const auto next = suspicions.Take();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->cases.size(), 1u);
  for (size_t i = 0; i < Suspicions::kMost; ++i) EXPECT_TRUE(suspicions.Add(Of("a")));
  EXPECT_FALSE(suspicions.Add(Of("a")));
}

}  // namespace
}  // namespace midwire::fuzz
