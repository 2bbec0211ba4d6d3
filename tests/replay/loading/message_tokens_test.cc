#include "replay/values/message_tokens.h"

#include <gtest/gtest.h>

#include <string>

#include "wire/json/valid.h"

namespace midwire::replay {
namespace {

// "/pointer=value" of each value, after "/pointer" of each member and element on the way.
std::string Walked(const MessageTokens& tokens) {
  std::string all;
  wire::Path path;
  tokens.Walk(
      &path, [](std::string_view name) { return name != "\"unwanted\""; },
      [&](const wire::Path& at) { all += wire::PointerText(at) + " "; },
      [&](const wire::Path& at, std::string_view value) {
        all += wire::PointerText(at) + "=" + std::string(value) + " ";
      });
  return all;
}

std::string Walked(std::string_view text) {
  std::string all;
  wire::WalkScalars(
      text, [&](const wire::Path& at) { all += wire::PointerText(at) + " "; },
      [&](const wire::Path& at, std::string_view value) {
        all += wire::PointerText(at) + "=" + std::string(value) + " ";
      });
  return all;
}

constexpr std::string_view kTexts[] = {"7",
                                       R"("a")",
                                       "[]",
                                       "{}",
                                       R"({"a":[1,{"b":null},[]],"c":{"d":true}})",
                                       R"([ "\"]" , {"" : -1.5e3} ])"};

TEST(ReplayMessageTokensTest, HaveTheValuesOfTheBody) {
  MessageTokens tokens;
  for (const std::string_view text : kTexts) {
    EXPECT_TRUE(tokens.Read(text)) << text;
    EXPECT_EQ(tokens.body(), text);
    EXPECT_EQ(Walked(tokens), Walked(text));
  }
}

TEST(ReplayMessageTokensTest, OnlyScalarMembersOfTheBodyAreLeftOut) {
  MessageTokens tokens;
  ASSERT_TRUE(tokens.Read(R"({"unwanted":1,"a":{"unwanted":2}})"));
  EXPECT_EQ(Walked(tokens), "/a /a/unwanted /a/unwanted=2 ");
  ASSERT_TRUE(tokens.Read(R"({"unwanted":[3]})"));
  EXPECT_EQ(Walked(tokens), "/unwanted /unwanted/0 /unwanted/0=3 ");
}

TEST(ReplayMessageTokensTest, OfWhatIsNoJson) {
  MessageTokens tokens;
  for (const std::string_view text : {"", "{", "[1,]", "{} {}", "\"", "01", "{\"a\" 1}", "nul"}) {
    EXPECT_FALSE(tokens.Read(text)) << text;
    EXPECT_FALSE(wire::IsLooseJson(text)) << text;
  }
}

TEST(ReplayMessageTokensTest, MoreThanAreKept) {
  std::string text = "[0";
  for (size_t i = 1; i < wire::JsonTokens::kMost; ++i) text += "," + std::to_string(i);
  text += "]";
  MessageTokens tokens;
  ASSERT_TRUE(tokens.Read(text));
  EXPECT_EQ(Walked(tokens), Walked(text));
  EXPECT_FALSE(tokens.Read(text + "]"));
}

TEST(ReplayMessageTokensTest, OfAShortBodyAfterALongOne) {
  MessageTokens tokens;
  ASSERT_TRUE(tokens.Read("[" + std::string(2 * wire::JsonTokens::kMost, ' ') + "1,2,3]"));
  const std::string_view text = R"({"id":1})";
  ASSERT_TRUE(tokens.Read(text));
  EXPECT_EQ(Walked(tokens), "/id /id=1 ");
}

TEST(ReplayMessageTokensTest, AMemberIsEarlyIfNoContainerComesBeforeIt) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"jsonrpc":"2.0", "id" : 7,"params":{}})", "7"},
      {R"({"id":"a\"","id":8})", R"("a\"")"},
      {R"({"params":{},"id":7})", ""},
      {R"({"id":{}})", ""},
      {R"(["id",7])", ""},
      {R"({"\u0069d":7})", ""},
      {R"({"id":7,)", "7"},
      {"{}", ""},
      {"", ""}};
  MessageTokens tokens;
  for (const auto& [text, id] : cases) {
    tokens.Read(text);
    EXPECT_EQ(tokens.Early("\"id\""), id) << text;
  }
}

}  // namespace
}  // namespace midwire::replay
