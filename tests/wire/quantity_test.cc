#include "wire/quantity.h"

#include <gtest/gtest.h>

namespace midwire::wire {
namespace {

TEST(QuantityTest, ABareNumberIsNoSizeAndNoDuration) {
  for (const char* text :
       {"", "1", "200", "1.5", "k", "s", "-1s", "1e3B", "0x10B", "1 k", "1.2.3k"}) {
    EXPECT_FALSE(ParseDuration(text)) << text;
    EXPECT_FALSE(ParseSize(text)) << text;
  }
  EXPECT_EQ(ParseDuration("0"), 0);
  EXPECT_EQ(ParseSize("0.0"), 0);
}

TEST(QuantityTest, ALetterAloneIsAPowerOf1024) {
  EXPECT_EQ(ParseSize("1k"), 1024);
  EXPECT_EQ(ParseSize("1K"), 1024);
  EXPECT_EQ(ParseSize("1KiB"), 1024);
  EXPECT_EQ(ParseSize("1.5M"), 1'572'864);
  EXPECT_EQ(ParseSize("3G"), 3'221'225'472);
  EXPECT_EQ(ParseSize("3GiB"), 3'221'225'472);
}

TEST(QuantityTest, ALetterWithBytesIsAPowerOf1000) {
  EXPECT_EQ(ParseSize("200B"), 200);
  EXPECT_EQ(ParseSize("1kB"), 1000);
  EXPECT_EQ(ParseSize("1.5MB"), 1'500'000);
  EXPECT_EQ(ParseSize(".5GB"), 500'000'000);
  EXPECT_FALSE(ParseSize("1KB"));
  EXPECT_FALSE(ParseSize("1q"));
}

TEST(QuantityTest, DurationsFromNanosecondsToDays) {
  EXPECT_EQ(ParseDuration("12ns"), 12);
  EXPECT_EQ(ParseDuration("1.5us"), 1500);
  EXPECT_EQ(ParseDuration("1.5\u00b5s"), 1500);
  EXPECT_EQ(ParseDuration("250ms"), 250'000'000);
  EXPECT_EQ(ParseDuration("2m"), ParseDuration("2min"));
  EXPECT_EQ(ParseDuration("24h"), ParseDuration("1d"));
  EXPECT_FALSE(ParseDuration("99999999999h"));
}

TEST(QuantityTest, ACountIsWhole) {
  EXPECT_EQ(ParseCount("0"), 0);
  EXPECT_EQ(ParseCount("9223372036854775807"), INT64_MAX);
  for (const char* text : {"", "-1", "+1", "1.5", "1k", "9223372036854775808", "-0"}) {
    EXPECT_FALSE(ParseCount(text)) << text;
  }
}

}  // namespace
}  // namespace midwire::wire
