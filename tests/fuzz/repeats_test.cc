#include "fuzz/repeats.h"

#include <gtest/gtest.h>

#include <chrono>

#include "fuzz/mutate/edit.h"
#include "tests/processor_time.h"
#include "tests/sanitized.h"

namespace midwire::fuzz {
namespace {

TEST(RepeatsTest, BracketsAndWhatClosesThemAreTwoRuns) {
  const std::string text = "{\"p\":" + Repeated("[", 300) + "0" + Repeated("]", 400) + "}";
  const auto runs = FindRepeats(text);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].at, 5u);
  EXPECT_EQ(runs[0].count, 300u);
  EXPECT_EQ(runs[1].count, 400u);
  EXPECT_EQ(Nesting(text, runs[0]), 1);
  EXPECT_EQ(Nesting(text, runs[1]), -1);
}

TEST(RepeatsTest, TheShortestUnitIsFound) {
  const auto runs = FindRepeats(Repeated("{\"a\":", 100) + "0");
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].unit, 5u);
  EXPECT_EQ(runs[0].count, 100u);
}

TEST(RepeatsTest, AShortRunIsNone) {
  EXPECT_TRUE(FindRepeats("[[[[[[[[[[0]]]]]]]]]]").empty());
  EXPECT_TRUE(FindRepeats("").empty());
  EXPECT_TRUE(FindRepeats(Repeated("a", kLeastRepeated - 1)).empty());
  EXPECT_EQ(FindRepeats(Repeated("a", kLeastRepeated)).size(), 1u);
}

TEST(RepeatsTest, ALongUnitIsNotSearched) {
  EXPECT_TRUE(FindRepeats(Repeated("0123456789abcdefghijklmnopqrstuvwxyz", 100)).empty());
}

// Compared again at each byte, these took half a minute.
TEST(RepeatsTest, WhatAlmostRepeatsIsComparedOnce) {
  std::string text;
  for (int i = 0; i < Many(80'000); ++i) text.append(200, 'a').append("b");
  const auto begin = ProcessorTime();
  EXPECT_TRUE(FindRepeats(text).empty());
  EXPECT_LT(ProcessorTime() - begin, std::chrono::seconds(10));
}

}  // namespace
}  // namespace midwire::fuzz
