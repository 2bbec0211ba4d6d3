#include "wire/json_tokens.h"

#include <gtest/gtest.h>

#include <string>

namespace midwire::wire {
namespace {

TEST(JsonTokensTest, EndWithTheValue) {
  JsonTokens tokens;
  const std::string_view text = R"( {"a":1} , "b")";
  EXPECT_EQ(tokens.ReadValue(text), text.data() + 8);
  EXPECT_EQ(tokens.size(), 8u);
  EXPECT_EQ(tokens.end() - tokens.begin(), 4);
  EXPECT_EQ(tokens.begin()[1].In(text), "\"a\"");
}

TEST(JsonTokensTest, OfWhatIsNoJsonHaveNoSize) {
  JsonTokens tokens;
  EXPECT_NE(tokens.ReadValue("[1]"), nullptr);
  EXPECT_EQ(tokens.ReadValue("[1,]"), nullptr);
  EXPECT_EQ(tokens.size(), 0u);
}

TEST(JsonTokensTest, MoreThanAreKeptAreRead) {
  std::string text = "[0";
  for (size_t i = 1; i < JsonTokens::kMost - 2; ++i) text += ",0";
  JsonTokens tokens;
  EXPECT_NE(tokens.ReadValue(text + "]"), nullptr);
  EXPECT_TRUE(tokens.complete());
  EXPECT_NE(tokens.ReadValue(text + ",0]"), nullptr);
  EXPECT_FALSE(tokens.complete());
  EXPECT_EQ(tokens.size(), text.size() + 3);
}

// "text of each token," of one that is read by the shape of the other; "": it has another one.
std::string ReadLike(std::string_view text, std::string_view shape) {
  JsonTokens tokens;
  tokens.ReadValue(shape);
  tokens.MakeShape(shape);
  if (!tokens.ReadLike(text)) return "";
  std::string all;
  for (const JsonTokens::Token& token : tokens) all += std::string(token.In(text)) + ",";
  return all;
}

TEST(JsonTokensTest, OfATextLikeAnother) {
  constexpr std::string_view kShape = R"({"a":1,"b": [ "x",{}],"c":true} )";
  EXPECT_EQ(ReadLike(R"({"a":"1\"2","b": [ 0,{}],"c":null},)", kShape),
            R"({,"a","1\"2","b",[,0,{,},],"c",null,},)");
  EXPECT_EQ(ReadLike(kShape, kShape), R"({,"a",1,"b",[,"x",{,},],"c",true,},)");
  EXPECT_EQ(ReadLike("{}", "{}"), "{,},");
}

TEST(JsonTokensTest, ATextOfAnotherShapeIsNotRead) {
  constexpr std::string_view kShape = R"({"a":1,"b":["x"]})";
  for (const std::string_view text :
       {R"({"a":1,"c":["x"]})", R"({"a":1,"b":["x",1]})", R"({"a":1,"b":{}})",
        R"({"a":{},"b":[1]})", R"({"a":01,"b":["x"]})", R"({"a":1 ,"b":["x"]})",
        R"({"a":1,"b":["x"])", R"({"a":1,"b":["x)", R"({"a":)", ""}) {
    EXPECT_EQ(ReadLike(text, kShape), "") << text;
  }
}

TEST(JsonTokensTest, AreThoseOfTheLatestText) {
  JsonTokens tokens;
  tokens.ReadValue(R"({"a":1,"b":2})");
  tokens.MakeShape(R"({"a":1,"b":2})");
  EXPECT_EQ(tokens.ReadLike(R"({"a":"long","c":2})"), nullptr);
  const std::string_view text = R"({"a":33,"b":"two"})";
  ASSERT_NE(tokens.ReadLike(text), nullptr);
  EXPECT_EQ(tokens.begin()[3].In(text), "\"b\"");
  EXPECT_EQ(tokens.begin()[4].In(text), "\"two\"");
  EXPECT_NE(tokens.known_shape(), nullptr);
  tokens.ReadValue(text);
  EXPECT_EQ(tokens.known_shape(), nullptr);
}

}  // namespace
}  // namespace midwire::wire
