// Places of rules in a message: what one pass finds at each.
#include "check/rules/places.h"

#include <gtest/gtest.h>

#include "tests/check/rules/rule_conversation.h"

namespace midwire::check {
namespace {

// What a text has at the place: "-" is nothing, "?" a text that is no JSON.
std::string PlaceIn(std::string_view text, std::string_view pointer) {
  PlaceTree tree;
  const RulePlace place(*wire::ParseMethodPlace(pointer), &tree);
  const RulePlace inner(*wire::ParseMethodPlace("/a/b/c"), &tree);
  PlaceValues values(&tree);
  if (!values.Read(text)) return values.At(place.node()).data() == nullptr ? "?" : "broken";
  const std::string_view found = values.At(place.node());
  return found.data() == nullptr ? "-" : std::string(found);
}

TEST(PlacesTest, ValuesOfEachType) {
  const char* const text = R"({ "a" : {"b":[1,{"b":2}], "x":{}} , "n":null,"s":"q\"","d":1.5e3 })";
  EXPECT_EQ(PlaceIn(text, "/a"), R"({"b":[1,{"b":2}], "x":{}})");
  EXPECT_EQ(PlaceIn(text, "/a/b"), R"([1,{"b":2}])");
  EXPECT_EQ(PlaceIn(text, "/a/x"), "{}");
  EXPECT_EQ(PlaceIn(text, "/n"), "null");
  EXPECT_EQ(PlaceIn(text, "/s"), R"("q\"")");
  EXPECT_EQ(PlaceIn(text, "/d"), "1.5e3");
}
TEST(PlacesTest, NothingIsThere) {
  EXPECT_EQ(PlaceIn(R"({"a":{"c":{"b":1}},"b":2})", "/a/b"), "-");
  EXPECT_EQ(PlaceIn(R"({"a":[{"b":1}]})", "/a/b"), "-");
  EXPECT_EQ(PlaceIn(R"([{"a":1}])", "/a"), "-");
  EXPECT_EQ(PlaceIn(R"({"x":{"a":1}})", "/a"), "-");
  EXPECT_EQ(PlaceIn("7", "/a"), "-");
}
TEST(PlacesTest, ATextThatIsNotJsonHasNone) {
  EXPECT_EQ(PlaceIn(R"({"a":1)", "/a"), "?");
  EXPECT_EQ(PlaceIn(R"({"a":1}})", "/a"), "?");
}
TEST(PlacesTest, OfARepeatedNameTheLastCounts) {
  EXPECT_EQ(PlaceIn(R"({"a":{"b":1},"a":{"b":2}})", "/a/b"), "2");
  EXPECT_EQ(PlaceIn(R"({"a":{"b":1},"a":{}})", "/a/b"), "-");
  EXPECT_EQ(PlaceIn(R"({"a":{"b":{"c":3}},"a":{"b":4}})", "/a/b/c"), "-");
}
TEST(PlacesTest, ANameSpelledWithEscapes) {
  EXPECT_EQ(PlaceIn(R"({"\u0061":{"b":1}})", "/a/b"), "1");
  EXPECT_EQ(PlaceIn(R"({"a\/b":1})", "/a~1b"), "1");
  EXPECT_EQ(PlaceIn(R"({"a\"":1})", "/a\""), "1");
  EXPECT_EQ(PlaceIn(R"({"":{"":1}})", "//"), "1");
}
TEST(PlacesTest, AMessageHasNothingOfTheOneBefore) {
  PlaceTree tree;
  const RulePlace place(*wire::ParseMethodPlace("/a"), &tree);
  PlaceValues values(&tree);
  EXPECT_TRUE(values.Read(R"({"a":1})"));
  EXPECT_TRUE(values.Read(R"({"b":1})"));
  EXPECT_EQ(values.At(place.node()).data(), nullptr);
}
TEST(PlacesTest, ManyNamesInOneObject) {
  PlaceTree tree;
  std::string text = "{";
  std::vector<RulePlace> places;
  for (int i = 0; i < 300; ++i) {
    const std::string name = "n" + std::to_string(i) + "x";
    places.emplace_back(*wire::ParseMethodPlace("/" + name), &tree);
    text += (i > 0 ? ",\"" : "\"") + name + "\":" + std::to_string(i);
  }
  text += "}";
  PlaceValues values(&tree);
  ASSERT_TRUE(values.Read(text));
  for (int i = 0; i < 300; ++i) EXPECT_EQ(values.At(places[i].node()), std::to_string(i));
}
TEST(PlacesTest, WhereANameIsRepeatedARuleSeesAllOfThem) {
  using namespace trace;
  const std::string rule = R"({"type":"equal","at":"m:/params/a/b","value":1})";
  EXPECT_EQ(FoundBy(rule, {Notify('>', "m", R"({"a":{"b":2,"b":3},"a":{"b":4}})")}),
            "#1 h2p /params/a/b: 1 | 2\n#1 h2p /params/a/b: 1 | 3\n#1 h2p /params/a/b: 1 | 4\n");
}
TEST(PlacesTest, WhereANameAtTheTopIsRepeatedToo) {
  using namespace trace;
  const std::string rule = R"({"type":"equal","at":"m:/x","value":1})";
  EXPECT_EQ(FoundBy(rule, {R"(> {"jsonrpc":"2.0","method":"m","x":2,"x":3})"}),
            "#1 h2p /x: 1 | 2\n#1 h2p /x: 1 | 3\n");
}
TEST(PlacesTest, PartsWhoseNamesHaveEscapes) {
  using namespace trace;
  const std::string rule = R"({"type":"equal","at":"m:/params/a","value":1})";
  EXPECT_EQ(FoundBy(rule, {R"(> {"jsonrpc":"2.0","method":"m","\u0070arams":{"a":2}})"}),
            "#1 h2p /params/a: 1 | 2\n");
}

}  // namespace
}  // namespace midwire::check
