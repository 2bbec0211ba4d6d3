#include "check/known_shape.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace midwire::check {
namespace {

constexpr ShapeKey kCall = {wire::Kind::kRequest, wire::Direction::kHostToPlugin, 0, false};

// A tree with the places that the tests read.
struct Known {
  explicit Known(std::string_view text) : values(&tree) {
    for (const char* name : {"id", "params", "list"}) tree.Add({name}, 1);
    for (const char* name : {"n", "uri", "deep"}) tree.Add({"params", name}, 2);
    EXPECT_TRUE(values.Read(text));
    EXPECT_TRUE(shape.Learn(kCall, text, values));
  }
  bool Matches(std::string_view text) { return shape.Matches(kCall, text); }

  PlaceTree tree;
  PlaceValues values;
  KnownShape shape;
};

constexpr char kText[] =
    R"({"id":12,"method":"a","params":{"n":1.5,"uri":"file:///a","deep":{"x":[1,true]}},"list":[1,2]})";

TEST(KnownShapeTest, OtherNumbersAndStrings) {
  Known known(kText);
  EXPECT_TRUE(known.Matches(kText));
  EXPECT_TRUE(known.Matches(
      R"({"id":123,"method":"a","params":{"n":-2e9,"uri":"é\n\"","deep":{"x":[0,true]}},"list":[10,2]})"));
  EXPECT_TRUE(known.Matches(
      R"({"id":1,"method":"","params":{"n":0.5,"uri":"file:///a/b","deep":{"x":[7,true]}},"list":[1,345]})"));
}

TEST(KnownShapeTest, NotOtherTypesMembersOrLengths) {
  constexpr char kSmall[] = R"({"id":12,"a":"x","b":true,"c":[1,2]})";
  Known known(kSmall);
  for (const char* other :
       {R"({"id":"12","a":"x","b":true,"c":[1,2]})", R"({"id":12.0,"a":"x","b":true,"c":[1,2]})",
        R"({"id":12,"a":"x","b":false,"c":[1,2]})", R"({"id":12,"a":"x","b":true,"c":[1,2,3]})",
        R"({"id":12,"a":"x","b":true,"c":[1]})", R"({"id":12,"a":"x","b":true,"c":[1,2]}})",
        R"({"id":12,"a":"x","b":true,"c":[1,2])", R"({"id":12,"b":"x","a":true,"c":[1,2]})",
        R"({"id":12,"a":"x","d":1,"b":true,"c":[1,2]})", R"({"id":12, "a":"x","b":true,"c":[1,2]})",
        R"({"id":12,"a":"x\q","b":true,"c":[1,2]})", R"({"id":012,"a":"x","b":true,"c":[1,2]})",
        R"({"id":12,"a":"x,"b":true,"c":[1,2]})", R"({"id":1x,"a":"x","b":true,"c":[1,2]})", "{",
        ""}) {
    EXPECT_FALSE(known.Matches(other)) << other;
  }
  EXPECT_FALSE(known.shape.Matches({wire::Kind::kNotification}, kSmall));
}

TEST(KnownShapeTest, PlacesAreThoseThatReadingFinds) {
  Known known(kText);
  for (
      const std::string other :
      {R"({"id":123456,"method":"a","params":{"n":2.25,"uri":"","deep":{"x":[999,true]}},"list":[1,2]})",
       R"({"id":1,"method":"longer","params":{"n":1e1,"uri":"file:///a","deep":{"x":[1,true]}},"list":[1,2]})",
       R"({"id":12,"method":"a","params":{"n":1.5,"uri":"file:///a","deep":{"x":[1,true]}},"list":[1,22222]})"}) {
    ASSERT_TRUE(known.Matches(other)) << other;
    PlaceValues read(&known.tree);
    ASSERT_TRUE(read.Read(other));
    known.shape.Fill(other, &known.values);
    for (uint32_t node = 0; node < known.tree.size(); ++node) {
      EXPECT_EQ(known.values.At(node), read.At(node)) << other << " node " << node;
    }
  }
}

TEST(KnownShapeTest, NamesTheReadersOfAChange) {
  Known known(kText);
  const std::string_view text = known.shape.text();
  known.shape.StartReaders(1);
  known.shape.AddReader(0, text, {{text.substr(text.find("\"file"), 11)}, false}, 0);
  known.shape.AddReader(1, text, {{text.substr(text.find("[1,2]"), 5)}, false}, 0);
  known.shape.AddReader(2, text, {}, 0);
  ASSERT_EQ(known.shape.readers().size(), 2u);
  ASSERT_TRUE(known.Matches(std::string(kText).replace(6, 2, "999")));
  EXPECT_EQ(known.shape.changed(), 0u);
  ASSERT_TRUE(known.Matches(std::string(kText).replace(text.find("[1,2]") + 3, 1, "3")));
  EXPECT_EQ(known.shape.changed(), known.shape.readers()[1].bit);
}

}  // namespace
}  // namespace midwire::check
