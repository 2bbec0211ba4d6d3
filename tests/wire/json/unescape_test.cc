#include "wire/json/unescape.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace midwire::wire {
namespace {

// The code and the size of the spelling.
std::pair<char32_t, int> Escape(std::string_view text) {
  const JsonEscape escape = ReadJsonEscape(text);
  return {escape.code, escape.size};
}
constexpr std::pair<char32_t, int> kNone = {0, 0};

TEST(JsonEscapeTest, LettersUnitsAndPairs) {
  const std::string_view letters = R"("\/bfnrt)", meanings = "\"\\/\b\f\n\r\t";
  for (size_t i = 0; i < letters.size(); ++i) {
    EXPECT_EQ(Escape(std::string("\\") + letters[i] + "x"), std::pair(char32_t(meanings[i]), 2));
  }
  EXPECT_EQ(Escape(R"(\u0041b)"), std::pair(U'A', 6));
  EXPECT_EQ(Escape(R"(\u20aC)"), std::pair(U'\u20ac', 6));
  EXPECT_EQ(Escape(R"(\ud83d\ude00\n)"), std::pair(U'\U0001f600', 12));
}

TEST(JsonEscapeTest, ASurrogateWithoutItsOtherHalfStandsForItself) {
  for (const char* text :
       {R"(\ud83d)", R"(\ud83d\n)", R"(\ud83d\ud83d)", R"(\ud83d\u0041)", R"(\ud83d\ude0)"}) {
    EXPECT_EQ(Escape(text), std::pair(char32_t{0xd83d}, 6)) << text;
    EXPECT_TRUE(IsSurrogate(ReadJsonEscape(text).code));
  }
  EXPECT_EQ(Escape(R"(\ude00\ud83d)"), std::pair(char32_t{0xde00}, 6));
}

TEST(JsonEscapeTest, WhatIsNotAnEscape) {
  using namespace std::literals;
  for (const std::string_view text : {"\\"sv, "\\x41"sv, "\\u"sv, "\\u004"sv, "\\u00g1"sv,
                                      "\\u-041"sv, "\\U0041"sv, "\\\0"sv, "\\'"sv}) {
    EXPECT_EQ(Escape(text), kNone) << text;
  }
}

TEST(UnescapeTest, LoneSurrogatesBecomeTheReplacementCharacter) {
  EXPECT_EQ(Unescape(R"(a\u0041\n\/z)"), "aA\n/z");
  EXPECT_EQ(Unescape(R"(\ud83d\ude00)"), "\U0001f600");
  EXPECT_EQ(Unescape(R"(\ud83d-\ude00)"), "\ufffd-\ufffd");
}

TEST(UnescapeTest, WhatIsNotAnEscapeStaysAsItIsSpelt) {
  EXPECT_EQ(Unescape(R"(\x \u12 \)"), R"(\x \u12 \)");
  EXPECT_EQ(StringValue(R"("\x\u12")"), R"(\x\u12)");
  EXPECT_TRUE(SameString(R"("\x\n")", R"("\x\u000a")"));
}

TEST(UnescapeTest, NoStringIsTooShort) {
  EXPECT_EQ(StringValue(""), "");
  EXPECT_EQ(StringValue("\""), "");
}

TEST(AppendUnescapedTest, TakesValidStringsAlone) {
  std::string text = "before ";
  EXPECT_TRUE(AppendUnescaped(R"("a\u00e9\n")", &text));
  EXPECT_TRUE(AppendUnescaped(R"( "z\t" )", &text));
  EXPECT_EQ(text, "before a\u00e9\nz\t");
  for (const char* broken :
       {"", "\"", "\"\\\"", "\"\\x\"", "\"\\n\" 1", "7", "null", "{\"a\":\"\\n\"}", "\"\\n\xff\"",
        "\"\\n\n\"", R"("a\ud800")", R"("\udc00\ud800")"}) {
    EXPECT_FALSE(AppendUnescaped(broken, &text)) << broken;
  }
  EXPECT_EQ(text, "before a\u00e9\nz\t") << "nothing is appended of what is refused";
}

}  // namespace
}  // namespace midwire::wire
