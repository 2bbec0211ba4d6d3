#include "wire/text/random_text.h"

#include <gtest/gtest.h>

namespace midwire::wire {
namespace {

TEST(RandomTextTest, TheLimitsAreTheCallers) {
  EXPECT_TRUE(LooksRandom("a1", {.shortest = 2, .longest = 2}));
  EXPECT_FALSE(LooksRandom("a1", {.shortest = 3, .longest = 9}));
  EXPECT_FALSE(LooksRandom("a1b2", {.shortest = 1, .longest = 3}));
}

TEST(RandomTextTest, ItHasLettersAndDigitsAndNoBlank) {
  constexpr RandomLimits kAny = {.shortest = 1, .longest = 64};
  for (const char* text : {"a-1", "1a", "/x!9"}) EXPECT_TRUE(LooksRandom(text, kAny)) << text;
  for (const char* text : {"", "abc", "12.3", "a 1", "a1\n", "\xc3\xa9 1"}) {
    EXPECT_FALSE(LooksRandom(text, kAny)) << text;
  }
}

TEST(RandomTextTest, SignsThatAreNotListedAreOfProse) {
  constexpr RandomLimits kSigns = {.shortest = 1, .longest = 64, .signs = "-_"};
  EXPECT_TRUE(LooksRandom("a-_1", kSigns));
  EXPECT_FALSE(LooksRandom("a/1", kSigns));
}

TEST(RandomTextTest, ChangesAreCountedAcrossSigns) {
  constexpr RandomLimits kThree = {.shortest = 1, .longest = 64, .changes = 3};
  EXPECT_TRUE(LooksRandom("a1b-2", kThree));
  EXPECT_FALSE(LooksRandom("abc-1def", kThree));
}

TEST(RandomTextTest, KeysOfBothCasesThatHardlyRepeatThemselves) {
  constexpr RandomLimits kKey = {.shortest = 4, .longest = 64, .both_cases = true, .bits = 2.6};
  EXPECT_TRUE(LooksRandom("aB3dE6gH", kKey)) << "3 bits";
  EXPECT_FALSE(LooksRandom("ab3de6gh", kKey)) << "one case";
  EXPECT_FALSE(LooksRandom("aB1aB1aB1", kKey)) << "1.6 bits";
}

}  // namespace
}  // namespace midwire::wire
