#include "wire/json/value.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/wire/json/parsed.h"
#include "wire/json/format.h"
#include "wire/json/parts.h"
#include "wire/json/quote.h"
#include "wire/json/unescape.h"
#include "wire/json/valid.h"

namespace midwire::wire {
namespace {

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(text, &out);
  return out;
}

TEST(IsJsonTest, AcceptsWhatTheGrammarHas) {
  for (const char* text : {"0", "\"\x7F\"", "-0", "12.5e+3", "1E-2", "1e400", "\"\"", "\"\\ud800\"",
                           "\"\\/\\b\\f\\n\\r\\t\\u00e9\"", "true", "false", "null", "[]", "{}",
                           " [ 1 , {\"a\" : [ ] } ]\r\n\t", "{\"a\":1,\"a\":2}",
                           "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\""}) {
    EXPECT_TRUE(IsJson(text)) << text;
  }
}

TEST(IsJsonTest, RefusesWhatItHasNot) {
  for (const char* text : {"",        " ",           "01",
                           "+1",      "1.",          ".5",
                           "1e",      "-",           "\"",
                           "\"\\x\"", "\"\\u12g4\"", "\"\t\"",
                           "tru",     "nul",         "[1,]",
                           "[,1]",    "[1",          "]",
                           "{",       "{\"a\"}",     "{\"a\":}",
                           "{a:1}",   "{\"a\":1,}",  "[1}",
                           "{} {}",   "1 2",         "\xEF\xBB\xBF{}",
                           "'a'",     "NaN",         "// c\n1",
                           "\"\\"}) {
    EXPECT_FALSE(IsJson(text)) << text;
  }
  EXPECT_FALSE(IsJson(std::string_view("1\0", 2)));
  EXPECT_FALSE(IsJson(std::string_view("\"\\\0\"", 4)));
}

TEST(IsJsonTest, StringsMustBeUtf8) {
  for (const char* bytes : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xE2\x82",
                            "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    EXPECT_FALSE(IsJson("\"" + std::string(bytes) + "\""));
  }
}

TEST(IsJsonTest, DeepNestingDoesNotOverflow) {
  std::string deep(4'000'000, '[');
  EXPECT_FALSE(IsJson(deep));
  EXPECT_TRUE(IsJson(deep + std::string(deep.size(), ']')));
}

// Two readers of one grammar must agree; where ParseJson is stricter, the alphabet has no way
// there.
TEST(IsJsonTest, AgreesWithTheDocumentParser) {
  const std::string_view pieces[] = {"{",       "}",    "[", "]",  ",",  ":",       "\"a\"",
                                     "\"\\n\"", "1",    "-", ".",  "0",  "e",       "+",
                                     "true",    "null", " ", "\"", "\\", "\xC3\xA9"};
  std::mt19937 random(1);
  int valid = 0;
  for (int i = 0; i < 300000; ++i) {
    std::string text;
    for (int n = 1 + random() % 7; n > 0; --n) text += pieces[random() % std::size(pieces)];
    bool is_json = IsJson(text);
    valid += is_json;
    ASSERT_EQ(is_json, ParseJson(text).ok()) << text;
  }
  EXPECT_GT(valid, 1000);
}

TEST(ParseJsonTest, KeepsNumbersOrderAndDuplicates) {
  Json json =
      Parsed(R"({"b":9007199254740993,"a":[1.0,1e0,"x\u00e9\ud83d\ude00",null,true],"b":-7})");
  ASSERT_EQ(json.members.size(), 3u);
  EXPECT_EQ(json.members[0].first, "b");
  EXPECT_EQ(json.members[0].second.text, "9007199254740993");
  EXPECT_EQ(json.members[1].second.items[0].text, "1.0");
  EXPECT_EQ(json.members[1].second.items[0].Integer(), std::nullopt);
  EXPECT_EQ(json.members[1].second.items[2].text, "x\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_TRUE(json.members[1].second.items[4].boolean);
  EXPECT_EQ(json.Find("b")->Integer(), -7);
  EXPECT_EQ(json.Find("c"), nullptr);
}

TEST(ParseJsonTest, RefusesTooDeepAndLoneSurrogates) {
  auto nested = [](size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  EXPECT_TRUE(ParseJson(nested(kMaxDepth)).ok());
  EXPECT_FALSE(ParseJson(nested(kMaxDepth + 1)).ok());
  EXPECT_FALSE(ParseJson("\"\\ud800\"").ok());
  EXPECT_FALSE(ParseJson("\"\\udc00\"").ok());
  EXPECT_FALSE(ParseJson("{\"\\udc00\":1}").ok());
  EXPECT_FALSE(ParseJson(std::string_view("{}\0x", 4)).ok());
}

TEST(ParseJsonTest, SaysWhatIsJsonAndNotRead) {
  const std::string digits(400, '9'), deep = std::string(600, '[') + std::string(600, ']');
  for (const std::string& text : {std::string("1e999"), "[-" + digits + "]", deep,
                                  std::string("\"\\ud800\""), std::string("\"\\udc00\"")}) {
    EXPECT_TRUE(IsJson(text)) << text;
    EXPECT_EQ(ParseJson(text).error().what, "JSON that midwire does not read") << text;
  }
  EXPECT_EQ(ParseJson("[1e999]").error().Text(),
            "JSON that midwire does not read: byte 1 (a number outside the range of a double)");
  EXPECT_EQ(ParseJson("[1").error().what, "not JSON");
  EXPECT_EQ(ParseJson("hello").error().remedy, "invalid value");
}

TEST(RawMembersTest, GivesExactSpans) {
  std::vector<RawMember> members;
  ASSERT_TRUE(RawMembers(" { \"a\" : [1 , 2] ,\"b\\n\":\"x\\\"y\", \"c\": {} } ", &members));
  ASSERT_EQ(members.size(), 3u);
  EXPECT_EQ(members[0].name, "a");
  EXPECT_EQ(members[0].value, "[1 , 2]");
  EXPECT_EQ(members[1].name, "b\\n");
  EXPECT_EQ(members[1].value, "\"x\\\"y\"");
  EXPECT_EQ(members[2].value, "{}");
  for (const char* text : {"[]", "{} x", "{\"a\":1,}", "{\"a\" 1}", "{\"a\":1", ""}) {
    EXPECT_FALSE(RawMembers(text, &members)) << text;
  }
}

TEST(JsonStringTest, WhatIsWrittenReadsBackTheSame) {
  std::string all;
  for (int c = 0; c < 0x80; ++c) all.push_back(static_cast<char>(c));
  all += "\xF3\xA0\x81\x81 \xC2\x9B \xE2\x80\xAE \xC3\xA9 \xF0\x9F\x98\x80";
  std::string back;
  ASSERT_TRUE(AppendUnescaped(Quoted(all), &back));
  EXPECT_EQ(back, all);
  EXPECT_TRUE(IsJson(Quoted(all)));
}

TEST(JsonStringTest, NothingThatActsOnATerminalGoesOut) {
  EXPECT_EQ(Quoted("\x1B[2J\x7F\xC2\x9B\xE2\x80\xAE"), R"("\u001b[2J\u007f\u009b\u202e")");
  EXPECT_EQ(Quoted("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
}

std::string Pretty(std::string_view text) {
  std::string out;
  PrettyJson(text, [&](std::string_view piece) { out += piece; });
  return out;
}

TEST(PrettyJsonTest, BelowSixtyFourLevelsAllStandsOnOneLine) {
  const std::string open(70, '['), close(70, ']');
  const std::string pretty = Pretty(open + "1 , {\"a\":2}" + close);
  const std::string blanks(2 * kMaxIndentLevels, ' ');
  EXPECT_NE(pretty.find("\n" + blanks + "[[[[[[1,{\"a\": 2}]]]]]]\n"), pretty.npos) << pretty;
}

TEST(PrettyJsonTest, NoPieceIsMuchLongerThanItsText) {
  std::string text(kMaxIndentLevels, '[');
  for (int i = 0; i < 100'000; ++i) text += "1,";
  text += '1' + std::string(kMaxIndentLevels, ']');
  size_t longest = 0, all = 0;
  PrettyJson(text, [&](std::string_view piece) {
    longest = std::max(longest, piece.size());
    all += piece.size();
  });
  EXPECT_GT(all, 10'000'000u);
  EXPECT_LT(longest, 100'000u);
}

TEST(PrettyJsonTest, IndentsAndKeepsSpelling) {
  EXPECT_EQ(Pretty(R"({"a":[1.0,"b\"]"],"c":{},"d":[ ]})"),
            "{\n  \"a\": [\n    1.0,\n    \"b\\\"]\"\n  ],\n  \"c\": {},\n  \"d\": []\n}");
  EXPECT_EQ(Pretty("not {json"), "not {json");
}

}  // namespace
}  // namespace midwire::wire
