// The memory of answered ids.
#include "check/generic/answered_ids.h"

#include <gtest/gtest.h>

#include <string>

namespace midwire::check {
namespace {

TEST(AnsweredIdsTest, OfAnIdTheLatestNumber) {
  AnsweredIds answered;
  EXPECT_FALSE(answered.Find("1"));
  answered.Add("1", 5);
  answered.Add("\"1\"", 6);
  answered.Add("1", 7);
  EXPECT_EQ(answered.Find("1"), 7u);
  EXPECT_EQ(answered.Find("\"1\""), 6u);
  EXPECT_FALSE(answered.Contains("2"));
}

TEST(AnsweredIdsTest, TheOldestIsForgotten) {
  AnsweredIds answered;
  for (size_t i = 0; i < 3 * AnsweredIds::kMax; ++i) {
    answered.Add(std::to_string(i), i);
    ASSERT_EQ(answered.Find(std::to_string(i)), i);
    if (i < AnsweredIds::kMax) continue;
    ASSERT_FALSE(answered.Contains(std::to_string(i - AnsweredIds::kMax)));
    ASSERT_TRUE(answered.Contains(std::to_string(i - AnsweredIds::kMax + 1)));
  }
}

TEST(AnsweredIdsTest, OneIdAgainAndAgain) {
  AnsweredIds answered;
  answered.Add("other", 0);
  for (size_t i = 1; i < 2 * AnsweredIds::kMax; ++i) answered.Add("same", i);
  EXPECT_EQ(answered.Find("same"), 2 * AnsweredIds::kMax - 1);
  EXPECT_FALSE(answered.Contains("other"));
}

}  // namespace
}  // namespace midwire::check
