#include "replay/learn/excerpt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace midwire::replay {
namespace {

using testing::ElementsAre;

const std::string kLong(100, 'x');

TEST(ExcerptTest, ShortValuesAreWhole) {
  EXPECT_THAT(Excerpts(std::vector<std::string>{"1", "22"}), ElementsAre("1", "22"));
}

TEST(ExcerptTest, LongOnesAreCutAroundWhatVaries) {
  EXPECT_THAT(Excerpts(std::vector<std::string>{kLong + "1" + kLong, kLong + "2" + kLong}),
              ElementsAre("..." + std::string(16, 'x') + "1" + std::string(43, 'x') + "...",
                          "..." + std::string(16, 'x') + "2" + std::string(43, 'x') + "..."));
}

TEST(ExcerptTest, WhatVariesAtTheEnd) {
  EXPECT_THAT(Excerpts(std::vector<std::string>{kLong + "1", kLong + "22"}),
              ElementsAre("..." + std::string(16, 'x') + "1", "..." + std::string(16, 'x') + "22"));
}

TEST(ExcerptTest, NeverWithinACharacter) {
  std::string umlauts;
  for (int i = 0; i < 50; ++i) umlauts += "\u00e4";
  const std::vector<std::string> cut = Excerpts(std::vector<std::string>{"a" + umlauts});
  EXPECT_EQ(cut[0], "a" + umlauts.substr(0, 60) + "...");
}

}  // namespace
}  // namespace midwire::replay
