#include "fuzz/mutate/tree_spans.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "wire/json/parts.h"

namespace midwire::fuzz {
namespace {

using wire::JsonType;

// What is picked, and how often.
std::map<std::string, int> PickedNodes(std::string_view text, unsigned types = kAnyType,
                                       unsigned places = kAnyPlace, int seeds = 2000) {
  std::map<std::string, int> picked;
  for (int seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    const auto node = PickNode(text, types, places, &random);
    if (!node) continue;
    ++picked[std::string(node->name(text)) + "=" + std::string(node->text(text))];
  }
  return picked;
}

TEST(TreeSpansTest, FindsEachValueWithItsName) {
  const auto picked =
      PickedNodes(R"( {"a" : [1, -2.5e3,{}], "b":"x,]}\"","c":{"d":null} , "e":true } )");
  std::vector<std::string> names;
  for (const auto& [name, count] : picked) names.push_back(name);
  EXPECT_EQ(names,
            (std::vector<std::string>{
                R"("a"=[1, -2.5e3,{}])", R"("b"="x,]}\"")", R"("c"={"d":null})", R"("d"=null)",
                R"("e"=true)", "=-2.5e3", "=1",
                R"(={"a" : [1, -2.5e3,{}], "b":"x,]}\"","c":{"d":null} , "e":true })", "={}"}));
}

TEST(TreeSpansTest, EachIsPickedAboutAsOften) {
  const auto picked = PickedNodes("[1,[2,{\"a\":3}],4]", kAnyType, kAnyPlace, 7000);
  EXPECT_EQ(picked.size(), 7u);
  for (const auto& [name, count] : picked) {
    EXPECT_NEAR(count, 1000, 150) << name;
  }
}

TEST(TreeSpansTest, OnlyOfTheTypesAndPlacesAskedFor) {
  constexpr std::string_view kText = R"({"a":1,"b":[2,"s"],"c":{"d":3}})";
  EXPECT_EQ(PickedNodes(kText, Of(JsonType::kNumber)).size(), 3u);
  EXPECT_EQ(PickedNodes(kText, Of(JsonType::kNumber), kElement).size(), 1u);
  EXPECT_EQ(PickedNodes(kText, kAnyType, kRoot).size(), 1u);
  EXPECT_EQ(PickedNodes(kText, kContainers, kMember).size(), 2u);
  EXPECT_TRUE(PickedNodes(kText, Of(JsonType::kBool)).empty());
}

TEST(TreeSpansTest, OfOneNameOnly) {
  constexpr std::string_view kText = R"({"a":1,"b":{"a":[2]}})";
  for (int seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const auto node = PickNode(kText, kAnyType, kMember, &random, "\"a\"");
    ASSERT_TRUE(node);
    EXPECT_EQ(node->name(kText), "\"a\"");
  }
}

TEST(TreeSpansTest, TheCommaGoesWithWhatGoes) {
  const auto without = [](std::string text, std::string_view name) {
    Random random(1);
    const auto node = PickNode(text, kAnyType, kMember, &random, name);
    const Span span = WithComma(text, *node);
    return text.erase(span.at, span.size);
  };
  EXPECT_EQ(without(R"({"a":1,"b":2})", "\"a\""), R"({"b":2})");
  EXPECT_EQ(without(R"({"a":1 , "b":2})", "\"b\""), R"({"a":1 })");
  EXPECT_EQ(without(R"({"a":1})", "\"a\""), "{}");
}

TEST(TreeSpansTest, SpansOfAnyBytesLieInThem) {
  for (const std::string_view text : {"{\"a\":", "\"abc", "]]}}", "[[[[", "{\"a\":}", "\"\\", "nul",
                                      "{\"a\" \"b\"}", "\xff\x80{"}) {
    for (int seed = 0; seed < 50; ++seed) {
      Random random(seed);
      const auto node = PickNode(text, kAnyType, kAnyPlace, &random);
      if (!node) continue;
      EXPECT_GT(node->size, 0u);
      EXPECT_LE(node->end(), text.size()) << text;
    }
  }
}

TEST(TreeSpansTest, AMillionBracketsAreFine) {
  const std::string deep(1'000'000, '[');
  Random random(1);
  const auto node = PickNode(deep, kAnyType, kAnyPlace, &random);
  ASSERT_TRUE(node);
  EXPECT_EQ(node->end(), deep.size());
}

TEST(TreeSpansTest, CountsNoFurtherThanAsked) {
  EXPECT_EQ(CountParts("[]", 5), 0u);
  EXPECT_EQ(CountParts("[1,[2,3],{}]", 5), 3u);
  EXPECT_EQ(CountParts("{\"a\":1,\"b\":2}", 1), 1u);
}

}  // namespace
}  // namespace midwire::fuzz
