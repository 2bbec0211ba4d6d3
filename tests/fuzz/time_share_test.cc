#include "fuzz/time_share.h"

#include <gtest/gtest.h>

namespace midwire::fuzz {
namespace {

TEST(TimeShareTest, IsAPartOfTheTimeSoFar) {
  TimeShare share(5);
  EXPECT_EQ(share.Left(100), 20);
  share.Spend(15);
  EXPECT_EQ(share.Left(100), 5);
  EXPECT_EQ(share.Left(200), 25);
}

TEST(TimeShareTest, WhatWasSpentTooMuchIsMissingLater) {
  TimeShare share(5);
  share.Spend(100);
  EXPECT_EQ(share.Left(100), 0);
  EXPECT_EQ(share.Left(500), 0);
  EXPECT_EQ(share.Left(600), 20);
}

TEST(TimeShareTest, AtTheStartThereIsALeastTime) {
  TimeShare share(5, 10);
  EXPECT_EQ(share.Left(0), 10);
  share.Spend(8);
  EXPECT_EQ(share.Left(1), 2);
  EXPECT_EQ(share.Left(100), 12);
}

}  // namespace
}  // namespace midwire::fuzz
