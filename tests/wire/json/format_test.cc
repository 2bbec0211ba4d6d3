#include "wire/json/format.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/wire/json/parsed.h"

namespace midwire::wire {
namespace {

std::string Compact(std::string_view text) {
  std::string out;
  AppendJson(Parsed(text), &out);
  return out;
}

TEST(AppendJsonTest, OnOneLineWithoutBlanks) {
  constexpr std::string_view kText =
      R"({"a":[1.0,-2e5,null,true,false,{},[]],"b":{"c\n\"":"\u202e"},"a":""})";
  EXPECT_EQ(Compact(kText), kText);
  EXPECT_EQ(Compact(" [ 1 , { \"a\" : \"\\u0041\" } ] "), R"([1,{"a":"A"}])");
  EXPECT_EQ(Compact("7"), "7");
}

TEST(IndentedJsonTest, ShortContainersStandOnOneLine) {
  EXPECT_EQ(IndentedJson(Parsed(R"({"a":[1,2],"b":{},"c":"x"})")),
            "{\"a\": [1, 2], \"b\": {}, \"c\": \"x\"}\n");
}

TEST(IndentedJsonTest, LongOnesAreIndented) {
  const std::string word(60, 'w');
  EXPECT_EQ(IndentedJson(Parsed("{\"a\":[\"" + word + "\",\"" + word + "\"],\"b\":1}")),
            "{\n  \"a\": [\n    \"" + word + "\",\n    \"" + word + "\"\n  ],\n  \"b\": 1\n}\n");
}

TEST(IndentedJsonTest, ALineMayTakeAHundredColumns) {
  const std::string fits(96, 'w');  // and the brackets and quotes, and a comma that may follow
  EXPECT_EQ(IndentedJson(Parsed("[\"" + fits.substr(1) + "\"]")), "[\"" + fits.substr(1) + "\"]\n");
  EXPECT_EQ(IndentedJson(Parsed("[\"" + fits + "\"]")), "[\n  \"" + fits + "\"\n]\n");
}

}  // namespace
}  // namespace midwire::wire
