// Names of the items of arrays that a place is in.
#include "trace/report/item_name.h"

#include <gtest/gtest.h>

namespace midwire::trace {
namespace {

constexpr char kListed[] = R"({"id":1,"result":{"tools":[
  {"name":"a"},{"name":"b","id":7,"args":[{"id":8,"type":3},{"type":4}]},{"n\u0061me":"c"},{"x":1}]}})";

TEST(ItemNameTest, OfTheInnermostItemThatHasOne) {
  EXPECT_EQ(ItemName(kListed, "/result/tools/0/name"), "\"a\"");
  EXPECT_EQ(ItemName(kListed, "/result/tools/1/args/0/type"), "8");
  EXPECT_EQ(ItemName(kListed, "/result/tools/1/args/1/type"), "\"b\"");
  EXPECT_EQ(ItemName(kListed, "/result/tools/2"), "\"c\"");
}
TEST(ItemNameTest, OfAPlaceThatIsMissingInAnItem) {
  EXPECT_EQ(ItemName(kListed, "/result/tools/1/inputSchema/type"), "\"b\"");
}
TEST(ItemNameTest, NoneOutsideOfArraysAndItemsWithoutNames) {
  for (const char* pointer :
       {"", "/id", "/result/tools", "/result/tools/3/x", "/result/tools/9", "x"}) {
    EXPECT_EQ(ItemName(kListed, pointer), "") << pointer;
  }
  EXPECT_EQ(ItemName("", "/a"), "");
  EXPECT_EQ(ItemName(R"({"a":[{"name":{}}]})", "/a/0"), "");
}
TEST(ItemNameTest, ALongNameIsNone) {
  const std::string uri = "\"data:" + std::string(100, 'x') + "\"";
  EXPECT_EQ(ItemName("[{\"uri\":" + uri + "}]", "/0"), "");
}

}  // namespace
}  // namespace midwire::trace
