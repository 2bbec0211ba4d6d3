#include "view/text/append.h"

#include <gtest/gtest.h>

#include <limits>

namespace midwire::view {
namespace {

template <typename Number>
std::string Text(void (*append)(Number, std::string*), Number value) {
  std::string out;
  append(value, &out);
  return out;
}
std::string Seconds(int64_t ns) { return Text(AppendSeconds, ns); }
std::string Duration(int64_t ns) { return Text(AppendDuration, ns); }
std::string Utc(int64_t ns) { return Text(AppendUtc, ns); }
std::string Grouped(uint64_t value) { return Text(AppendGrouped, value); }

TEST(AppendTest, SecondsAreCutNotRounded) {
  EXPECT_EQ(Seconds(0), "0.000000");
  EXPECT_EQ(Seconds(1'999'999'999), "1.999999");
  EXPECT_EQ(Seconds(-1'500'000'000), "-1.500000");
  EXPECT_EQ(Seconds(std::numeric_limits<int64_t>::min()), "-9223372036.854775");
}

TEST(AppendTest, DurationsHaveThreeDigits) {
  EXPECT_EQ(Duration(0), "0ns");
  EXPECT_EQ(Duration(999), "999ns");
  EXPECT_EQ(Duration(1000), "1.00us");
  EXPECT_EQ(Duration(12'345), "12.3us");
  EXPECT_EQ(Duration(999'999), "999us");
  EXPECT_EQ(Duration(1'060'000), "1.06ms");
  EXPECT_EQ(Duration(78'900'000'000), "78.9s");
  EXPECT_EQ(Duration(86'400'000'000'000), "86400s");
  EXPECT_EQ(Duration(-5), "0ns");
}

TEST(AppendTest, UtcAcrossTheCalendar) {
  EXPECT_EQ(Utc(0), "1970-01-01T00:00:00.000000000Z");
  EXPECT_EQ(Utc(-1), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(Utc(951'782'400'000'000'001), "2000-02-29T00:00:00.000000001Z");
  EXPECT_EQ(Utc(4'107'542'399'000'000'000), "2100-02-28T23:59:59.000000000Z");
  EXPECT_EQ(Utc(4'107'542'400'000'000'000), "2100-03-01T00:00:00.000000000Z");
  EXPECT_EQ(Utc(std::numeric_limits<int64_t>::max()), "2262-04-11T23:47:16.854775807Z");
  EXPECT_EQ(Utc(std::numeric_limits<int64_t>::min() + 1'000'000'000),
            "1677-09-21T00:12:44.145224192Z");
}

TEST(AppendTest, GroupsOfThree) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(12'345'678), "12,345,678");
}

TEST(AppendTest, ColumnsOfWideAndCombiningCharacters) {
  EXPECT_EQ(ColumnsOf("abc"), 3u);
  EXPECT_EQ(ColumnsOf("\u00fc"), 1u);
  EXPECT_EQ(ColumnsOf("u\u0308"), 1u);
  EXPECT_EQ(ColumnsOf("\u4e16\u754c"), 4u);
  EXPECT_EQ(ColumnsOf("\U0001F600"), 2u);
}

TEST(AppendTest, PrefixNeverCutsACharacter) {
  EXPECT_EQ(PrefixOfColumns("abcdef", 3), 3u);
  EXPECT_EQ(PrefixOfColumns("ab", 3), 2u);
  EXPECT_EQ(PrefixOfColumns("\u4e16\u754c", 3), 3u);
  EXPECT_EQ(PrefixOfColumns("a\u4e16", 2), 1u);
  EXPECT_EQ(PrefixOfColumns("abc", 0), 0u);
}

TEST(AppendTest, PaddingCountsColumnsNotBytes) {
  std::string text = "> \u4e16";
  PadRight(2, 4, &text);
  EXPECT_EQ(text, "> \u4e16  ");
  text = "> 12";
  PadLeft(2, 4, &text);
  EXPECT_EQ(text, ">   12");
}

}  // namespace
}  // namespace midwire::view
