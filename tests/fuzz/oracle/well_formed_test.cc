#include "fuzz/oracle/well_formed.h"

#include <gtest/gtest.h>

#include <string>

namespace midwire::fuzz {
namespace {

TEST(WellFormedTest, ANameTwiceInOneObjectIsRepeated) {
  EXPECT_TRUE(RepeatsName(R"({"a":1,"b":2,"a":3})"));
  EXPECT_TRUE(RepeatsName(R"({"a":1, "a" : 3})"));
  EXPECT_TRUE(RepeatsName(R"([{"x":{"k":1,"k":1}}])")) << "at any depth";
  EXPECT_TRUE(RepeatsName(R"({"a\"":1,"a\"":2})"));
}

TEST(WellFormedTest, ANameInTwoObjectsIsNot) {
  EXPECT_FALSE(RepeatsName(R"({"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]})"));
  EXPECT_FALSE(RepeatsName(R"({"a":"a","b":["a","a"]})")) << "these are values";
  EXPECT_FALSE(RepeatsName(R"({"a":{"b":1},"b":2})")) << "after an object its names are dropped";
  EXPECT_FALSE(RepeatsName(""));
}

TEST(WellFormedTest, TextThatIsNotJsonIsReadToItsEnd) {
  for (const char* text : {"\"", "{\"", "{\"a", "{\"a\\", "}}", "{\"a\":{\"b\"", "\":\":\":"}) {
    EXPECT_FALSE(RepeatsName(text)) << text;
  }
}

TEST(WellFormedTest, MoreNamesThanAreComparedCountAsRepeated) {
  std::string many = "{";
  for (int i = 0; i < 300; ++i) many += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_TRUE(RepeatsName(many + "\"z\":0}"));
  EXPECT_TRUE(RepeatsName(std::string(100, '[')));
}

TEST(WellFormedTest, AnIdThatSomeWriterEscapesIsNotPlain) {
  const auto plain = [](const std::string& token) {
    wire::Id id;
    id.type = wire::Id::Type::kString;
    id.token = '"' + token + '"';
    return IsPlain(id);
  };
  EXPECT_TRUE(plain("req-7:a.B_c 9"));
  for (const char* other : {"=", "`", "<", "&", "'", "+", "/", "\\\\", "\x7f", "\xC3\xA4"}) {
    EXPECT_FALSE(plain(other)) << other;
  }
}

}  // namespace
}  // namespace midwire::fuzz
