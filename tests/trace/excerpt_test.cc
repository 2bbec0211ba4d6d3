#include "trace/report/excerpt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace midwire::trace {
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

std::string InQuotes(const std::string& text) { return '"' + text + '"'; }

// Many words, so that a difference at the end is far from the beginning.
std::string Words(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += "word ";
  return text;
}

TEST(ShowPairTest, ShortValuesAreWhole) {
  const ShownPair shown = ShowPair(R"("a\nb")", R"("a\nc")");
  EXPECT_EQ(shown.expected + shown.got, R"("a\nb""a\nc")");
  EXPECT_EQ(shown.line, 0u);
}

TEST(ShowPairTest, LongTextsAreCutAroundTheirDifference) {
  const ShownPair shown =
      ShowPair(InQuotes(Words(100) + "lazy dog"), InQuotes(Words(100) + "lazy cat"));
  EXPECT_EQ(shown.expected, "..." + Words(10) + "lazy dog\"");
  EXPECT_EQ(shown.got, "..." + Words(10) + "lazy cat\"");
  EXPECT_EQ(shown.line, 0u);
}

TEST(ShowPairTest, ADifferenceNearTheBeginningShowsTheBeginning) {
  const ShownPair shown = ShowPair(InQuotes("1 " + Words(100)), InQuotes("2 " + Words(100)));
  EXPECT_TRUE(shown.expected.starts_with("\"1 word ")) << shown.expected;
  EXPECT_TRUE(shown.got.ends_with("...")) << shown.got;
  EXPECT_EQ(shown.got.size(), 240u);
}

TEST(ShowPairTest, AShortTextBesideALongOneIsWhole) {
  const ShownPair shown = ShowPair(InQuotes(Words(40)), InQuotes(Words(100)));
  EXPECT_EQ(shown.expected, InQuotes(Words(40)));
  EXPECT_TRUE(shown.got.starts_with("...word ")) << shown.got;
}

TEST(ShowPairTest, TheLineIsCounted) {
  std::string lines;
  for (int i = 0; i < 50; ++i) lines += R"(a line\n)";
  EXPECT_EQ(ShowPair(InQuotes(lines + "x"), InQuotes(lines + "y")).line, 51u);
  EXPECT_EQ(ShowPair(InQuotes("x" + lines), InQuotes("y" + lines)).line, 1u);
}

TEST(ShowPairTest, AnotherSpellingIsNoDifference) {
  const std::string more = Words(60);
  const ShownPair shown =
      ShowPair(InQuotes(R"(\u00e4\/ )" + more + "x"), InQuotes("\u00e4/ " + more + "y"));
  EXPECT_TRUE(shown.expected.ends_with(" x\"")) << shown.expected;
  EXPECT_TRUE(shown.got.ends_with(" y\"")) << shown.got;
}

TEST(ShowPairTest, NeverWithinAnEscape) {
  std::string escapes;
  for (int i = 0; i < 100; ++i) escapes += R"(\u00e4)";
  for (const char* pad : {"", "a", "aa", "aaa", "aaaa", "aaaaa"}) {
    const ShownPair shown = ShowPair(InQuotes(pad + escapes + "x"), InQuotes(pad + escapes + "y"));
    EXPECT_TRUE(shown.expected.starts_with(R"(...\u00e4)")) << shown.expected;
  }
}

TEST(ShowPairTest, AGeneratedValueIsNotCut) {
  const std::string url = "https://example.org/" + std::string(200, 'p') + "/a1b2c3d4e5f6a7b8c9d0/";
  const std::string rest(100, 'r');
  EXPECT_EQ(ShowPair(InQuotes(url + rest + "x"), InQuotes(url + rest + "y")).expected,
            "..." + std::string(60, 'r') + "x\"");
  EXPECT_EQ(ShowPair(InQuotes(url + "ends" + "x"), InQuotes(url + "ends" + "y")).expected,
            "...a1b2c3d4e5f6a7b8c9d0/endsx\"");
}

TEST(ShowPairTest, WhatIsKnownToAgreeIsSkipped) {
  const std::string more = Words(60);
  const ShownPair shown =
      ShowPair(InQuotes("id7 " + more + "x"), InQuotes("id4711 " + more + "y"), {4, 7});
  EXPECT_TRUE(shown.expected.ends_with(" x\"")) << shown.expected;
  EXPECT_TRUE(shown.got.ends_with(" y\"")) << shown.got;
}

}  // namespace
}  // namespace midwire::trace
