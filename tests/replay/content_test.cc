#include "replay/match/content.h"

#include <gtest/gtest.h>

#include "replay/values/text_tokens.h"

namespace midwire::replay {
namespace {

uint64_t HashOf(std::string_view body) { return HashContent(body, {}); }

TEST(ReplayContentTest, OrderSpellingAndBlanksDoNotCount) {
  EXPECT_EQ(HashOf(R"({"a":1,"b":["x",{"c":null}]})"),
            HashOf(R"({ "b": ["\u0078", {"c": null}], "a": 1.0 })"));
}

TEST(ReplayContentTest, ValuesNamesAndTheOrderOfElementsDo) {
  EXPECT_NE(HashOf(R"({"a":1})"), HashOf(R"({"a":2})"));
  EXPECT_NE(HashOf(R"({"a":1})"), HashOf(R"({"b":1})"));
  EXPECT_NE(HashOf(R"([1,2])"), HashOf(R"([2,1])"));
  EXPECT_NE(HashOf(R"({"a":"1"})"), HashOf(R"({"a":1})"));
}

TEST(ReplayContentTest, VaryingPlacesDoNotCountAtAnyIndex) {
  VaryingPlaces varying;
  varying.Add({{"\"list\""}, {"", 0}, {"\"id\""}}, 3);
  EXPECT_EQ(HashContent(R"({"list":[{"id":1},{"id":2}],"x":1})", varying),
            HashContent(R"({"list":[{"id":8},{"id":9}],"x":1})", varying));
  EXPECT_NE(HashContent(R"({"list":[{"id":1}],"x":1})", varying),
            HashContent(R"({"list":[{"id":1}],"x":2})", varying));
}

TEST(ReplayContentTest, WhatIsNotJsonIsBytes) {
  EXPECT_NE(HashOf("{\"a\":1"), HashOf("{\"a\":2"));
  EXPECT_EQ(HashOf("{\"a\":1"), HashOf("{\"a\":1"));
}

std::string TokensOf(std::string_view text, std::string_view known = "") {
  std::string tokens;
  VisitTokens(text, [&](std::string_view token) {
    tokens += std::string(token) + " ";
    return token == known;
  });
  return tokens;
}

TEST(ReplayTextTokensTest, RunsOfLettersAndDigitsInALongerText) {
  EXPECT_EQ(TokensOf("task://thr_8f3a/log?of=abc12345"), "thr_8f3a of=abc12345 abc12345 ");
}

TEST(ReplayTextTokensTest, AKnownTokenIsNotLookedInto) {
  EXPECT_EQ(TokensOf("x urn:8f3a1b2c y", "urn:8f3a1b2c"), "urn:8f3a1b2c ");
  EXPECT_EQ(TokensOf("x urn:8f3a1b2c y"), "urn:8f3a1b2c 8f3a1b2c ");
}

TEST(ReplayTextTokensTest, EscapesSeparate) {
  EXPECT_EQ(TokensOf(R"(a\nthr_8f3a\u0020thr_9999)"), "thr_8f3a thr_9999 ");
}

// Digits are looked for 16 bytes at a time.
TEST(ReplayTextTokensTest, TheOnlyDigitAtAnyPlace) {
  for (size_t at = 0; at < 40; ++at) {
    for (const char digit : {'0', '9'}) {
      std::string token(40, 'x');
      token[at] = digit;
      EXPECT_EQ(TokensOf("/" + token + "/"), token + " ");
    }
  }
}

TEST(ReplayTextTokensTest, BytesBesideTheDigitsAreNone) {
  for (const char other : {'/', ':', '\xB0', '\xFF'}) {
    EXPECT_EQ(TokensOf(std::string(20, 'x') + other + std::string(20, 'y')), "");
  }
}

TEST(ReplayTextTokensTest, ShortOnesAndWordsWithoutDigitsAreNone) {
  EXPECT_EQ(TokensOf("a word and 12345 more_words"), "");
}

}  // namespace
}  // namespace midwire::replay
